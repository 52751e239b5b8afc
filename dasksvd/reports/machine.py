"""On what kind of machine, with which versions: what decides whether a result must come out in the same bits."""

import platform
from importlib.metadata import PackageNotFoundError, version

import dasksvd

#: The packages that compute.
PACKAGES = ("numpy", "scipy", "numba", "llvmlite", "scikit-learn")


def machine() -> dict[str, str]:
    """Facts of this machine and of what is installed, by their names."""
    from llvmlite import binding  # loads the compiler, which nobody needs who only reads

    found = {
        "system": f"{platform.system()} {platform.machine()}",
        "processor": binding.get_host_cpu_name(),
        "Python": ".".join(platform.python_version_tuple()[:2]),
        "dasksvd": dasksvd.__version__,
    }
    return found | {name: _version(name) for name in PACKAGES}


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def unlike(ours: dict[str, str], theirs: dict[str, str]) -> list[str]:
    """In what two machines differ, in words; empty if they must give the same bits.

    Examples
    --------
    >>> unlike({"numpy": "2.3.0"}, {"numpy": "2.2.1"})
    ['numpy 2.2.1 there, 2.3.0 here']
    """
    names = dict.fromkeys([*theirs, *ours])
    return [
        f"{name} {theirs.get(name, 'unknown')} there, {ours.get(name, 'unknown')} here"
        for name in names
        if ours.get(name) != theirs.get(name)
    ]
