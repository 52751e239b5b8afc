"""Figures put together from plain values.

plotly checks every value that a figure gets, which takes longer than everything else that happens
between a click and its answer.  A :class:`Sketch` collects the values and hands them over
unchecked; the tests let plotly check every figure once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import plotly.graph_objects as go


def trace(kind: str, **values: Any) -> dict[str, Any]:
    """A trace of plotly's type ``kind``."""
    return {"type": kind, **_with_titles(values)}


class Sketch:
    """Collects traces, shapes and layout.

    Examples
    --------
    >>> sketch = Sketch(trace("bar", x=["a"], y=[1]))
    >>> sketch.update_xaxes(title="class")
    >>> sketch.figure().layout.xaxis.title.text
    'class'
    """

    def __init__(self, *traces: dict[str, Any]):
        self._data = list(traces)
        # Room for axes is in the margins: looking for it would have the browser draw everything twice.
        self._layout: dict[str, Any] = {
            "xaxis": {"automargin": False},
            "yaxis": {"automargin": False},
            "shapes": [],
            # An own one, even if empty: plotly's has styles for every kind of chart, and all are copied.
            "template": {"layout": {}},
        }

    def add_trace(self, values: dict[str, Any]) -> None:
        """Add a trace made by :func:`trace`."""
        self._data.append(values)

    def add_shape(self, **values: Any) -> None:
        """Add a shape of plotly's layout."""
        self._layout["shapes"].append(values)

    def update_xaxes(self, **values: Any) -> None:
        """Set values of the horizontal axis."""
        self._layout["xaxis"] |= _with_titles(values)

    def update_yaxes(self, **values: Any) -> None:
        """Set values of the vertical axis."""
        self._layout["yaxis"] |= _with_titles(values)

    def update_layout(self, **values: Any) -> None:
        """Set values of the whole figure."""
        self._layout |= _with_titles(values)

    def figure(self) -> go.Figure:
        """The figure."""
        # Not at the top: pictures need no plotly, and an installation of the core alone may not have it.
        import plotly.graph_objects as go

        return go.Figure(data=self._data, layout=self._layout, _validate=False)


def _with_titles(values: dict[str, Any]) -> dict[str, Any]:
    """Titles as plotly's browser part wants them: wrapped, on every level."""
    wrapped = {key: _with_titles(value) if isinstance(value, dict) else value for key, value in values.items()}
    if isinstance(wrapped.get("title"), str):
        wrapped["title"] = {"text": wrapped["title"]}
    return wrapped
