"""What reads pictures of any kind: a structured dictionary, the codes on its atoms and a small network.

Its answers come with their reasons.  :mod:`dasksvd.digit.reader` is the one for digits.
"""

import zipfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

import numpy as np

from dasksvd.common.files import Spec, read_npz, write_npz
from dasksvd.digit.judge import Doubt
from dasksvd.encoders import DEFAULT as DEFAULT_ENCODER
from dasksvd.encoders import check_level, encode_by, levels_of
from dasksvd.errors import DamagedFile, ParameterError
from dasksvd.method import kernels
from dasksvd.method.omp import pursue
from dasksvd.method.trace import Trace, follow
from dasksvd.networks import relu
from dasksvd.parameters import check_count

#: How the name of an encoder is kept.
_NAME = np.dtype("S64")
#: Largest numbers of atoms, hidden units, values of a signal and classes in a file.
_LARGEST = 10_000


@dataclass(frozen=True)
class Explanation:
    """How one image was read.

    What the pursuit finds is told of every reader; the network of a reader with another encoder reads other codes.

    Attributes
    ----------
    atoms : ndarray of shape (n_steps,), int
        Atoms in the order in which the pursuit took them.
    coefficients : ndarray of shape (n_steps,)
        Their final coefficients.
    residuals : ndarray of shape (n_steps + 1,)
        Length of what is left of the signal before the first and after each step.
    steps : ndarray of shape (n_steps, N)
        Best approximation of the signal by the first 1, 2, … atoms.
    class_energy : ndarray of shape (n_classes,)
        Share of the squared coefficients on each class's atoms; sums to 1.
    probabilities : ndarray of shape (n_classes,)
    signal : ndarray of shape (N,)
        What was read.
    code : ndarray of shape (n_atoms,)
        What the network has read: the coefficients of the pursuit, or the code by the reader's own encoder.
    beside : ndarray of shape (n_atoms,) or None
        What else it has read, if the reader has a second encoder.
    doubt : Doubt or None
        Why the image is taken for no digit; the probabilities then say nothing.
    """

    atoms: np.ndarray
    coefficients: np.ndarray
    residuals: np.ndarray
    steps: np.ndarray
    class_energy: np.ndarray
    probabilities: np.ndarray
    signal: np.ndarray
    code: np.ndarray
    doubt: Doubt | None = None
    beside: np.ndarray | None = None


@dataclass(frozen=True)
class AtomReader:
    """Reads signals of N values in k classes.

    Attributes
    ----------
    atoms : ndarray of shape (n_atoms, N), float32
    atom_classes : ndarray of shape (n_atoms,), int64
    n_nonzero : int
        Non-zeros of a code by the pursuit.
    scale : ndarray of shape (n_inputs,), float32
        What each coefficient is divided by; n_inputs is n_atoms, or twice as many with a second encoder.
    weights : tuple of ndarray
        First layer (n_inputs, h) and (h,), second layer (h, k) and (k,), float32; or more layers.
    encoder : str
        What makes the codes that the network reads: a name in :data:`dasksvd.encoders.ENCODERS`.
    level : float
        Of an encoder that has one.
    beside : str
        A second encoder, without a level, whose codes of as many non-zeros the network reads beside the first's.
    """

    atoms: np.ndarray
    atom_classes: np.ndarray
    n_nonzero: int
    scale: np.ndarray
    weights: tuple[np.ndarray, ...]
    encoder: str = DEFAULT_ENCODER
    level: float = 0.0
    beside: str = ""

    @property
    def n_classes(self) -> int:
        """How many classes the network knows."""
        return len(self.weights[-1])

    @property
    def reads_pursuit(self) -> bool:
        """Whether the network reads the codes of the pursuit, which explain its answer then."""
        return self.encoder == DEFAULT_ENCODER

    def encode(self, signals: np.ndarray) -> np.ndarray:
        """The codes that the network reads, of signals of shape (n, N); shape (n, n_inputs)."""
        codes = encode_by(self.encoder, signals, self.atoms, self.n_nonzero, self.level)
        if not self.beside:
            return codes
        return np.hstack([codes, encode_by(self.beside, signals, self.atoms, self.n_nonzero, 0.0)])

    def classify(self, signals: np.ndarray) -> np.ndarray:
        """Probabilities of the classes for signals of shape (n, N); shape (n, k)."""
        return self.read_codes(self.encode(signals))

    def read_codes(self, codes: np.ndarray) -> np.ndarray:
        """The same for codes of shape (n, n_inputs), as :meth:`encode` gives them."""
        return relu.softmax(relu.forward(codes / self.scale, self.weights)[1])

    def explain_signal(self, signal: np.ndarray) -> Explanation:
        """Everything behind the answer for one signal of shape (N,), float32."""
        if signal.shape != self.atoms.shape[1:]:
            raise ParameterError(f"the signal must have shape {self.atoms.shape[1:]}, got {signal.shape}")
        codes = pursue(signal[None], self.atoms, self.n_nonzero)
        count = int(codes.counts[0])
        chosen, values = codes.support[0, :count], codes.values[0, :count]
        residuals, steps = _approximations(signal.astype(np.float64), self.atoms[chosen].astype(np.float64))
        read = codes.dense(len(self.atoms)) if self.reads_pursuit and not self.beside else self.encode(signal[None])
        code, beside = np.split(read[0], [len(self.atoms)])
        squares = values.astype(np.float64) ** 2
        energy = np.bincount(self.atom_classes[chosen], weights=squares, minlength=self.n_classes)
        return Explanation(
            atoms=chosen,
            coefficients=values,
            residuals=residuals,
            steps=steps,
            class_energy=energy / energy.sum() if count else energy,
            probabilities=self.read_codes(read)[0],
            signal=signal,
            code=code,
            beside=beside if self.beside else None,
        )

    def trace(self, explanation: Explanation) -> Trace:
        """Every step of the pursuit that an explanation is the end of."""
        return follow(explanation.signal, self.atoms, explanation.atoms)

    @property
    def longest(self) -> int:
        """Non-zeros of the longest code that it has a network for."""
        return self.n_nonzero

    def trained_for(self, n_nonzero: int) -> Self:
        """The same with a network for codes of about so many non-zeros: itself, where there is only one network."""
        check_count("n_nonzero", n_nonzero)
        return self

    def restricted(self, n_nonzero: int, per_class: int) -> Self:
        """The model with shorter codes and only the first ``per_class`` atoms of each class.

        The network stays as it was trained; the atoms that are left out count as unused.  An encoder with a level
        codes as before on the atoms that are left.
        """
        check_count("n_nonzero", n_nonzero)
        check_count("per_class", per_class)
        rank = np.empty(len(self.atoms), np.int64)
        for label in np.unique(self.atom_classes):
            mine = np.flatnonzero(self.atom_classes == label)
            rank[mine] = np.arange(len(mine))
        kept = np.flatnonzero(rank < per_class)
        read = np.concatenate([kept, kept + len(self.atoms)]) if self.beside else kept
        first, *others = self.weights
        return replace(
            self,
            atoms=np.ascontiguousarray(self.atoms[kept]),
            atom_classes=self.atom_classes[kept],
            n_nonzero=min(n_nonzero, len(kept)),
            scale=self.scale[read],
            weights=(np.ascontiguousarray(first[read]), *others),
        )

    def lead_parts(self, explanation: Explanation, winner: int, rival: int) -> tuple[np.ndarray, float]:
        """How much each atom of the code that the network reads adds to the winner's lead over a rival.

        The network is linear as long as no hidden unit switches.  The lead, the difference of the
        two scores before the softmax, is therefore a sum: one part per atom, its coefficient times
        the slope of the lead at this code, and a rest that does not depend on the code.

        Returns
        -------
        parts : ndarray of shape (n_atoms,), float64
            Positive ones speak for the winner; 0 for an atom that the code does not use.
        rest : float
            Parts and rest add up to the lead.
        """
        weights = [layer.astype(np.float64) for layer in self.weights]
        read = (
            explanation.code if explanation.beside is None else np.concatenate([explanation.code, explanation.beside])
        )
        values = relu.layers(read / self.scale.astype(np.float64), weights)
        slope = weights[-2][:, winner] - weights[-2][:, rival]
        rest = weights[-1][winner] - weights[-1][rival]
        for place in range(len(weights) - 4, -1, -2):
            slope = np.where(values[place // 2 + 1] > 0, slope, 0)
            rest = rest + weights[place + 1] @ slope
            slope = weights[place] @ slope
        parts = values[0] * slope
        return parts.reshape(-1, len(self.atoms)).sum(axis=0), float(rest)

    def lead_by_corrections(self, explanation: Explanation, winner: int, rival: int) -> float:
        """What corrected drawings add to the winner's lead over a rival: nothing, where nothing can be corrected."""
        return 0.0

    def save(self, path: Path) -> None:
        """Write the model as npz."""
        first, first_bias, second, second_bias = self.weights
        arrays = {"atoms": self.atoms, "atom_classes": self.atom_classes, "scale": self.scale}
        arrays |= {"first": first, "first_bias": first_bias, "second": second, "second_bias": second_bias}
        arrays |= {"sizes": np.array(self._sizes())}
        if not self.reads_pursuit:
            arrays |= {"encoder": np.array(self.encoder.encode(), _NAME), "level": np.array(self.level, np.float64)}
        write_npz(path, arrays)

    def _sizes(self) -> list[int]:
        """What a file says first, so that the shapes of its arrays are known before they are read."""
        return [len(self.atoms), len(self.weights[1]), self.n_nonzero, self.atoms.shape[1], self.n_classes]


def _approximations(signal: np.ndarray, atoms: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lengths of the residuals and projections on the first k atoms, for every k."""
    basis = np.array(atoms)
    kernels.orthonormalise(basis)
    parts = (basis * signal).sum(axis=1)
    steps = np.cumsum(parts[:, None] * basis, axis=0)
    left = np.concatenate([signal[None], signal - steps])
    return np.linalg.norm(left, axis=1), steps


@dataclass(frozen=True)
class Sizes:
    """What a file says of its arrays.

    Attributes
    ----------
    n_atoms, hidden, n_nonzero : int
    encoder : str
    shape : tuple of int
        Values of a signal and classes; empty in the files of readers of digits, which have 256 and 10.
    """

    n_atoms: int
    hidden: int
    n_nonzero: int
    encoder: str
    shape: tuple[int, ...] = ()

    @property
    def specs(self) -> dict[str, Spec]:
        """The arrays of the file."""
        return model_specs(self.n_atoms, self.hidden, self.encoder, self.shape)


def model_specs(
    n_atoms: int, hidden: int, encoder: str = DEFAULT_ENCODER, shape: tuple[int, ...] = ()
) -> dict[str, Spec]:
    """The arrays in a file, see :class:`Sizes`; that of a reader of the pursuit does not name its encoder."""
    length, n_classes = shape or (256, 10)
    specs: dict[str, Spec] = {
        "sizes": (np.int64, (3 + len(shape),)),
        "atoms": (np.float32, (n_atoms, length)),
        "atom_classes": (np.int64, (n_atoms,)),
        "scale": (np.float32, (n_atoms,)),
        "first": (np.float32, (n_atoms, hidden)),
        "first_bias": (np.float32, (hidden,)),
        "second": (np.float32, (hidden, n_classes)),
        "second_bias": (np.float32, (n_classes,)),
    }
    return specs if encoder == DEFAULT_ENCODER else specs | {"encoder": (_NAME, ()), "level": (np.float64, ())}


def read_sizes(path: Path) -> Sizes:
    """What a file says of its arrays, or DamagedFile."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            n_atoms, hidden, n_nonzero, *shape = (int(value) for value in stored["sizes"])
            encoder = stored["encoder"].item().decode() if "encoder" in stored else DEFAULT_ENCODER
    except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError, zipfile.BadZipFile) as error:
        raise DamagedFile(f"{path.name} is not a classifier ({str(error)[:80]})") from error
    fits = len(shape) in (0, 2) and all(2 <= size <= _LARGEST for size in shape)
    if not (fits and 1 <= n_nonzero <= n_atoms <= _LARGEST and 1 <= hidden <= _LARGEST):
        raise DamagedFile(f"{path.name}: sizes {n_atoms}, {hidden}, {n_nonzero} cannot be")
    return Sizes(n_atoms, hidden, n_nonzero, encoder, tuple(shape))


def read_arrays(path: Path, sizes: Sizes) -> dict:
    """The attributes of an :class:`AtomReader` in a file."""
    arrays = read_npz(path, sizes.specs)
    return {
        "atoms": arrays["atoms"],
        "atom_classes": arrays["atom_classes"],
        "n_nonzero": sizes.n_nonzero,
        "scale": arrays["scale"],
        "weights": (arrays["first"], arrays["first_bias"], arrays["second"], arrays["second_bias"]),
        "encoder": sizes.encoder,
        "level": _checked_level(path, sizes.encoder, float(arrays.get("level", 0.0))),
    }


def _checked_level(path: Path, encoder: str, level: float) -> float:
    try:
        if bool(levels_of(encoder)) == (check_level(encoder, level) > 0):
            return level
    except ParameterError as error:
        raise DamagedFile(f"{path.name}: {error}") from error
    raise DamagedFile(f"{path.name}: the encoder {encoder} needs a level")
