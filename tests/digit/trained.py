"""Small readers that are trained for the tests."""

import dasksvd
from reproduce.default_model import Amounts, train_default_model


def trained(**settings):
    data = dasksvd.load_mnist()
    held_out = data.train_images[-200:], data.train_labels[-200:]
    none = Amounts((0, 0), 0, 0, 0)
    return train_default_model(data.train_images[:3000], data.train_labels[:3000], held_out, amounts=none, **settings)
