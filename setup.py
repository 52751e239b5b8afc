"""Which folders go into the wheel; everything else about the package is in pyproject.toml.

The dashboard's files go to ``dasksvd/dashboard`` with their names unchanged.  ``streamlit run`` puts
the folder of ``app.py`` first on the path, so ``import ui`` works there as it does in the source tree.
"""

from setuptools import find_namespace_packages, setup

DASHBOARD = "dasksvd.dashboard"
core = find_namespace_packages(include=["dasksvd", "dasksvd.*"], exclude=["*.__pycache__*"])
rooms = [
    room
    for top in ("examples", "pages", "reproduce", "ui")
    for room in find_namespace_packages(include=[top, f"{top}.*"], exclude=["*.__pycache__*", "__pycache__"])
]

setup(
    script_name="setup.py",  # the one Python file beside app.py that stays outside
    packages=[*core, DASHBOARD, *(f"{DASHBOARD}.{room}" for room in rooms)],
    package_dir={DASHBOARD: "."} | {f"{DASHBOARD}.{room}": room.replace(".", "/") for room in rooms},
    # Data, style sheets, scripts: every file of a folder, but of the source tree's top only app.py and its settings.
    package_data={package: ["*"] for package in [*core, *(f"{DASHBOARD}.{room}" for room in rooms)]}
    | {DASHBOARD: [".streamlit/config.toml"]},
)
