"""Draw a digit: read while the pen moves, and explained."""

from ui import frame, readers, sidebar
from ui.panels import reader, take_home

view = frame.begin(
    "Draw a digit",
    "**Read as you draw**, and explained atom by atom.",
    controls=(sidebar.LOOK,),
)
reader.panel(readers.offered(), view.run_id, view.colors)
take_home.code(take_home.of_drawing)
frame.about(
    r"""
1. **Normalise.** Your strokes are scaled to MNIST's field of 20 × 20 pixels, drawn again with MNIST's line width,
   antialiased, and moved until the centre of mass is in the middle of 28 × 28. So brush, size and place do not matter.
   A picture is first separated into ink and paper, whatever its light, and its lines are thinned to their middles.
2. **Reduce** to 16 × 16, which gives a signal $x$ of $N = 256$ numbers.
3. **Code.** Orthogonal matching pursuit (OMP) writes $x \approx \sum_j a_j\,d_j$ with at most $q$ of the atoms $d_j$ of
   the structured dictionary $\Phi_D$: each step takes the atom most similar to the residual $r = x - \sum_j a_j d_j$
   and then fits all coefficients again, so $\|r\|$ falls at every step.
4. **Classify.** A network with one hidden layer reads the code $a$ and gives ten probabilities that sum to 1.

The shipped network was trained on MNIST's training images, on distorted and redrawn copies of them, and on invented
drawings with crossed sevens, hooked ones and nines, and open fours. It has not seen MNIST's test images.

Such a network takes everything for one of ten digits. So each drawing is checked first: by its amount of ink, by how
much of it the atoms cannot rebuild, and by a second small network that was also trained on letters, shapes and
scribbles. A drawing that is not a digit gets a **?**.
"""
)
