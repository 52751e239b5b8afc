"""Files as people have them."""

import gzip
import io
import zipfile

import numpy as np
from PIL import Image

from reproduce.fashion import as_idx
from tests.datasets.own_sets import own_set


def encoded(picture, kind="PNG", **options):
    """A picture file of an array or a PIL image."""
    buffer = io.BytesIO()
    (picture if isinstance(picture, Image.Image) else Image.fromarray(picture)).save(buffer, kind, **options)
    return buffer.getvalue()


def zipped(path, members, packing=zipfile.ZIP_DEFLATED):
    """A zip of names and contents."""
    with zipfile.ZipFile(path, "w", packing) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def pictures_of(data, kind="PNG"):
    """The members of a zip with a folder per class; pictures are numbered within their class."""
    names, members = data.class_names, {}
    for label in range(len(names)):
        for number, image in enumerate(data.train_images[data.train_labels == label], 1):
            members[f"{names[label]}/{number}.{kind.lower()}"] = encoded(image, kind)
    return members


def folder_zip(path, k=3, per_class=12, side=16, **changes):
    """A zip with a folder per class."""
    return zipped(path, pictures_of(own_set(k, per_class, side)) | changes)


def npz(path, data, **changes):
    """An npz file as people make it."""
    np.savez(path, **{"images": data.train_images, "labels": data.train_labels} | changes)
    return path


def idx_members(data, packed=True):
    """The two idx files of a data set."""
    files = {"train-images-idx3-ubyte": data.train_images, "train-labels-idx1-ubyte": np.uint8(data.train_labels)}
    if not packed:
        return {name: as_idx(array) for name, array in files.items()}
    return {f"{name}.gz": gzip.compress(as_idx(array)) for name, array in files.items()}
