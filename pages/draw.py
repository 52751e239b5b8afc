"""Draw a digit: read while the pen moves, and explained. Readers of other pictures have them picked or dropped."""

from ui import frame, readers, sidebar
from ui.panels import picture_reader, reader, reader_choice, take_home

PICTURES = r"""
1. **Reduce.** The picture becomes grey and square, as small as those that the reader has learned from: a signal $x$ of
   $N$ numbers. A held-out picture has that form already.
2. **Code.** Orthogonal matching pursuit (OMP) writes $x \approx \sum_j a_j\,d_j$ with at most $q$ of the atoms $d_j$ of
   the structured dictionary $\Phi_D$: each step takes the atom most similar to the residual $r = x - \sum_j a_j d_j$
   and then fits all coefficients again, so $\|r\|$ falls at every step.
3. **Classify.** A network with one hidden layer reads the code $a$ and gives one probability for each class; they sum
   to 1. It knows only the classes it was trained on, and takes every picture for one of them.

The **held-out** pictures were not learned from, neither by the atoms nor by the network. A picture of your own is
decoded in a process of its own and forgotten.
"""
offered = readers.offered()
draws = reader_choice.looked_at(offered).draws
view = frame.begin(
    "Draw a digit" if draws else "Read a picture",
    f"**Read as you {'draw' if draws else 'pick'}**, and explained atom by atom.",
    controls=(sidebar.LOOK,),
)
(reader if draws else picture_reader).panel(offered, view.run_id, view.colors)
if draws:
    take_home.code(take_home.of_drawing)
frame.about(
    PICTURES
    if not draws
    else r"""
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
