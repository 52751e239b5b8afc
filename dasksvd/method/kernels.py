"""Compiled kernels of orthogonal matching pursuit and of the K-SVD sweep.

Vectors are cut into blocks of ``BLOCK`` columns so that a block's running sum
stays in registers (:func:`_combine_rows`).  Threads share out whole signals and
never the sum of one signal or atom, so one thread and many give the same bits.
"""

import math
from collections import namedtuple

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from dasksvd.common.compiled import Kernel, compiled

BLOCK = 64
#: A further atom explains nothing once its correlation falls below this share of the first one's.
EXPLAINED = np.float32(1e-6)
#: ‖L⁻¹‖ of a pursuit's triangle L up to which single precision is good enough: the coefficients'
#: error is about its square times the rounding unit, so 3e-4 of the signal's length here.
STEADY = np.float32(64)
PURSUIT_CHUNK = 64

_ABS_BITS = np.int32(0x7FFFFFFF)


@intrinsic
def _combine_rows(typing, out, out_at, scale, start, start_at, rows, rows_at, stride, index, coefs, first, count):
    """``out[:BLOCK] = scale * start[:BLOCK] - sum_j coefs[j] * rows[index[j] * stride:][:BLOCK]``.

    All arrays are flat float32 and are read from their ``*_at`` offset; j runs over
    ``first … first + count - 1``; ``index=None`` means the first ``count`` rows.
    """
    # Written as LLVM instructions, because from a loop in Python the compiler loads and stores the block once per
    # row.  Here the running sum is one vector value of BLOCK lanes, which it keeps in registers until the end.
    at = types.intp
    signature = types.void(out, at, types.float32, start, at, rows, at, at, index, coefs, at, at)
    return signature, _emit_combine_rows


#: What :func:`_combine_rows` is called with: the types, or LLVM's values of them.
_Arguments = namedtuple("_Arguments", "out out_at scale start start_at rows rows_at stride index coefs first count")


def _emit_combine_rows(context, builder, signature, values):
    """Write the instructions of :func:`_combine_rows`."""
    kind, value = _Arguments(*signature.args), _Arguments(*values)
    vector = ir.VectorType(ir.FloatType(), BLOCK)
    # A product and the difference that follows may become one instruction; nothing else may change.
    flags = ("contract", "nsz")

    def pointer(name, offset):
        array = context.make_array(getattr(kind, name))(context, builder, getattr(value, name))
        return builder.gep(array.data, [offset])

    def load_block(place):
        block = builder.load(builder.bitcast(place, vector.as_pointer()))
        block.align = 4  # of one float32: a block may begin anywhere
        return block

    def in_every_lane(scalar):
        undefined = ir.Constant(vector, ir.Undefined)
        single = builder.insert_element(undefined, scalar, ir.Constant(ir.IntType(32), 0))
        return builder.shuffle_vector(single, undefined, ir.Constant(ir.VectorType(ir.IntType(32), BLOCK), [0] * BLOCK))

    total = cgutils.alloca_once(builder, vector)
    scale = in_every_lane(value.scale)
    builder.store(builder.fmul(scale, load_block(pointer("start", value.start_at)), flags=flags), total)
    rows_start = pointer("rows", value.rows_at)
    with cgutils.for_range(builder, value.count) as loop:
        j = builder.add(value.first, loop.index)
        coef = builder.load(pointer("coefs", j))
        if kind.index is types.none:
            number = loop.index
        else:
            number = builder.sext(builder.load(pointer("index", j)), value.stride.type)
        row = load_block(builder.gep(rows_start, [builder.mul(number, value.stride)]))
        term = builder.fmul(in_every_lane(coef), row, flags=flags)
        builder.store(builder.fsub(builder.load(total), term, flags=flags), total)
    target = builder.bitcast(pointer("out", value.out_at), vector.as_pointer())
    builder.store(builder.load(total), target).align = 4
    return context.get_dummy_value()


@compiled
def _strongest(bits):
    """Index of the largest absolute value, given the float32 values' bits, and those bits.

    Absolute values of floats are ordered like their bits, and integer maxima vectorise.
    """
    best = np.int32(0)
    for m in range(bits.size):
        best = max(best, np.int32(bits[m] & _ABS_BITS))
    at = np.int32(bits.size)
    for m in range(bits.size):
        here = np.int32(m) if np.int32(bits[m] & _ABS_BITS) == best else np.int32(bits.size)
        at = min(at, here)
    return at, best


@compiled
def _pursue_one(s, n_nonzero, gram, width, scratch, support, values):
    """Pursue signal s, whose correlations with all atoms stand in the scratch.

    Step k orthogonalises the chosen atom against the earlier ones *in correlation space*:
    ``directions[k]`` holds the correlations of the k-th orthonormal direction with every atom.
    ``unsolved`` solves L·x = ±1 with the signs that make it grow: its size estimates ‖L⁻¹‖.

    Return the number of atoms taken and whether single precision was enough for them.  If not,
    the next atom would have been one too many, and the values are not filled.
    """
    correlations, bits, directions, triangle, projections, coefs, step, unsolved = scratch
    limit = np.float32(0)
    k = 0
    while k < n_nonzero:
        i, strongest = _strongest(bits)
        if k == 0:
            limit = abs(correlations[i]) * EXPLAINED
        if strongest == 0 or abs(correlations[i]) <= limit:
            break
        column = (i // BLOCK) * BLOCK * n_nonzero + i % BLOCK
        for j in range(k):
            triangle[k, j] = directions[column + j * BLOCK]
        explained = np.float32(0)
        for j in range(k):
            explained += triangle[k, j] * triangle[k, j]
        distance = gram[i * width + i] - explained
        along = np.float32(0)
        for j in range(k):
            along += triangle[k, j] * unsolved[j]
        growth = np.float32(1) + abs(along)
        if distance * STEADY * STEADY < growth * growth:
            return k, False
        triangle[k, k] = np.sqrt(distance)
        inverse = np.float32(1) / triangle[k, k]
        unsolved[k] = -growth * inverse if along >= 0 else growth * inverse
        for j in range(k):
            coefs[j] = triangle[k, j] * inverse
        step[0] = correlations[i] * inverse
        for b in range(0, width, BLOCK):
            # Every other step runs backwards: the blocks used last are still in the first cache.
            at = width - BLOCK - b if k & 1 else b
            base = at * n_nonzero
            new = base + k * BLOCK
            _combine_rows(directions, new, inverse, gram, i * width + at, directions, base, BLOCK, None, coefs, 0, k)
            _combine_rows(correlations, at, np.float32(1), correlations, at, directions, new, BLOCK, None, step, 0, 1)
        correlations[i] = 0
        projections[k] = step[0]
        support[s, k] = i
        k += 1
    for j in range(k - 1, -1, -1):
        value = projections[j] / triangle[j, j]
        values[s, j] = value
        for m in range(j):
            projections[m] -= value * triangle[j, m]
    return k, True


@compiled
def _correlate(signals, s, blocked_atoms, width, out, out_at, scratch):
    """Write the correlations of signal s with all atoms to ``out[out_at:out_at + width]``.

    Done signal by signal and not as one matrix product, so that a code never depends on
    the batch it was computed in; zero pixels (most of a digit) cost nothing.
    """
    zeros, places, pixels = scratch
    length = signals.shape[1]
    count = 0
    for m in range(length):
        if signals[s, m] != 0:
            places[count] = m
            pixels[count] = -signals[s, m]
            count += 1
    for at in range(0, width, BLOCK):
        _combine_rows(
            out, out_at + at, np.float32(0), zeros, 0,
            blocked_atoms, at * length, BLOCK, places, pixels, 0, count,
        )  # fmt: skip


@compiled
def _correlation_scratch(length):
    return np.zeros(BLOCK, np.float32), np.empty(length, np.int32), np.empty(length, np.float32)


@Kernel
def gram_matrix(atoms, blocked_atoms, width, gram):
    """Fill the flat (width, width) Gram matrix of the atoms."""
    for chunk in numba.prange((atoms.shape[0] + PURSUIT_CHUNK - 1) // PURSUIT_CHUNK):
        correlating = _correlation_scratch(atoms.shape[1])
        for i in range(chunk * PURSUIT_CHUNK, min(atoms.shape[0], (chunk + 1) * PURSUIT_CHUNK)):
            _correlate(atoms, i, blocked_atoms, width, gram, i * width, correlating)


@Kernel
def pursue(signals, blocked_atoms, gram, width, n_nonzero, support, values, counts, steady):
    """Orthogonal matching pursuit of every signal; fill support, values, counts and steady.

    A signal that is not steady has only the atoms of its support that single precision could
    tell; :func:`dasksvd.method.precise.pursue` goes on from there.
    """
    n = signals.shape[0]
    for chunk in numba.prange((n + PURSUIT_CHUNK - 1) // PURSUIT_CHUNK):
        correlating = _correlation_scratch(signals.shape[1])
        correlations = np.empty(width, np.float32)
        scratch = (
            correlations,
            correlations.view(np.int32),
            np.empty(width * n_nonzero, np.float32),
            np.empty((n_nonzero, n_nonzero), np.float32),
            np.empty(n_nonzero, np.float32),
            np.empty(n_nonzero, np.float32),
            np.empty(1, np.float32),
            np.empty(n_nonzero, np.float32),
        )
        for s in range(chunk * PURSUIT_CHUNK, min(n, (chunk + 1) * PURSUIT_CHUNK)):
            _correlate(signals, s, blocked_atoms, width, correlations, 0, correlating)
            counts[s], steady[s] = _pursue_one(s, n_nonzero, gram, width, scratch, support, values)


@Kernel
def residuals(signals, atoms, support, values, counts, out):
    """Fill ``out = signals - codes @ atoms``; row lengths are multiples of BLOCK."""
    n, width = signals.shape
    n_nonzero = support.shape[1]
    flat_signals, flat_atoms, flat_out = signals.reshape(-1), atoms.reshape(-1), out.reshape(-1)
    flat_support, flat_values = support.reshape(-1), values.reshape(-1)
    for s in numba.prange(n):
        for at in range(0, width, BLOCK):
            _combine_rows(
                flat_out, s * width + at, np.float32(1), flat_signals, s * width + at,
                flat_atoms, at, width, flat_support, flat_values, s * n_nonzero, counts[s],
            )  # fmt: skip


@compiled
def _unit_factor(entries, values, first, last):
    """Power of two that brings an atom's coefficients near one; 1 if float32 holds their fourth powers."""
    largest = np.float32(0)
    for e in range(first, last):
        largest = max(largest, abs(values[entries[e]]))
    if largest == 0 or (largest > np.float32(2.0**-10) and largest < np.float32(2.0**10)):
        return np.float32(1)
    return np.float32(math.ldexp(1.0, -math.frexp(largest)[1]))


@compiled
def _renew_atom(atoms, j, errors, users, entries, values, first, last, coefs, old, new):
    """Set atom j to the least-squares direction of its users; keep both versions.

    Return False, and leave the atom, if there is no such direction.
    """
    width = atoms.shape[1]
    flat_errors = errors.reshape(-1)
    shrink = _unit_factor(entries, values, first, last)
    energy = np.float32(0)
    for e in range(first, last):
        coefs[e] = -values[entries[e]] * shrink
        energy += coefs[e] * coefs[e]
    if shrink != 1:  # once more, because the errors are not shrunk
        for e in range(first, last):
            coefs[e] *= shrink
    for m in range(width):
        old[m] = atoms[j, m]
    for at in range(0, width, BLOCK):
        _combine_rows(new, at, energy, old, at, flat_errors, at, width, users, coefs, first, last - first)
    length = np.float32(0)
    for m in range(width):
        length += new[m] * new[m]
    length = np.sqrt(length)
    if length <= energy * np.float32(1e-6):
        return False
    for m in range(width):
        new[m] /= length
        atoms[j, m] = new[m]
    return True


@compiled
def _refit_users(errors, users, entries, values, first, last, old, new):
    """Best coefficients of the users on the new atom, and their errors with it."""
    overlap = np.dot(old, new)
    for e in range(first, last):
        before = values[entries[e]]
        row = errors[users[e]]
        after = before * overlap
        for m in range(row.size):
            after += row[m] * new[m]
        for m in range(row.size):
            row[m] += before * old[m] - after * new[m]
        values[entries[e]] = after


@compiled
def sweep(atoms, errors, starts, users, entries, values):
    """One approximate K-SVD sweep: every atom in turn, with its users' coefficients.

    For the users' errors E (without atom d: E + g dᵀ) the atom becomes Eᵀg + |g|²d, scaled
    to length one, then each coefficient the projection on it.  Both halves are least-squares
    steps, so the error never rises.

    Serial on purpose: two threads would have to meet twice per atom, which gained a third
    of the sweep on an idle machine and cost many times that on a busy one.
    """
    width = atoms.shape[1]
    coefs = np.empty(values.size, np.float32)
    old, new = np.empty(width, np.float32), np.empty(width, np.float32)
    for j in range(atoms.shape[0]):
        first, last = starts[j], starts[j + 1]
        if first == last:
            continue
        if _renew_atom(atoms, j, errors, users, entries, values, first, last, coefs, old, new):
            _refit_users(errors, users, entries, values, first, last, old, new)


@compiled
def orthonormalise(rows):
    """Turn rows, in place, into orthonormal directions of the same growing spans (Gram and Schmidt).

    Compiled here because a matrix library's threads cost more than so small a task.
    """
    n, width = rows.shape
    for i in range(n):
        for j in range(i):
            overlap = 0.0
            for m in range(width):
                overlap += rows[i, m] * rows[j, m]
            for m in range(width):
                rows[i, m] -= overlap * rows[j, m]
        length = 0.0
        for m in range(width):
            length += rows[i, m] * rows[i, m]
        length = np.sqrt(length)
        for m in range(width):
            rows[i, m] /= length
