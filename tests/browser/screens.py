"""What must be seen of every page without scrolling: its main figures and the controls that change them.

Elements are named by the keys under which the pages draw them.
"""

from dataclasses import dataclass

#: A phone as the browser is told of it, and the window of a lecture's projector.
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "user_agent": "Mozilla/5.0 (Linux; Android 16; Phone) AppleWebKit/537.36 Chrome/150.0 Mobile Safari/537.36",
}
PROJECTOR = {"width": 1280, "height": 720}


@dataclass(frozen=True)
class Screen:
    """Keys of a page's figures and controls on a lecture's screen, and of the first figure on a phone."""

    figures: tuple[str, ...]
    controls: tuple[str, ...]
    phone: str


SCREENS = {
    "overview": Screen(("dictionary", "flow"), ("doors", "alpha", "beta", "I", "method_step"), "dictionary"),
    "draw": Screen(("canvas", "way"), ("canvas", "reader_q_100", "reader_atoms_20", "reader"), "canvas"),
    "steps": Screen(("half_steps",), ("sample", "half_steps"), "half_steps"),
    "lessons": Screen(("about_sum", "about_holds"), ("start_sum", "handout_sum"), "about_sum"),
    "train": Screen(("live_atoms", "live_error", "live_odds"), ("data", "preset", "alpha", "run_button"), "live_atoms"),
    "runs": Screen(("table",), ("find", "picked"), "table"),
    "grid_search": Screen(
        ("verdict", "triangle", "sizes_overview"), ("new_search", "map_size", "alpha", "beta"), "triangle"
    ),
    "atoms": Screen(("structured", "atom", "atom_measures", "bars", "life"), ("alpha", "beta", "I"), "structured"),
    "measures": Screen(("scatter", "atom_numbers"), ("alpha", "beta", "I", "measured", "weight_triangle"), "scatter"),
    "accuracy": Screen(("claims",), ("evidence_sizes", "evidence_measure"), "claim_ksvd"),
}
