"""Reports of the tests' own runs, written to files and checked."""

from dasksvd.reports.facts import read_report
from dasksvd.reports.report import report
from dasksvd.reports.verify import verify
from dasksvd.search.engine import Engine

NASTY = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"
HERE = Engine(n_jobs=1)


def written(tmp_path, runs, plan=None):
    path = tmp_path / "report.html"
    path.write_text(report(runs, plan, made=0.0), encoding="utf-8")
    return path


def checked(path, change=lambda text: text):
    """The verdict on a report whose page was changed."""
    facts, page = read_report(path)
    return verify(facts, engine=HERE, page=change(page))
