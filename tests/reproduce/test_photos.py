"""Drawings are read from photos in every light."""

import numpy as np
import pytest

from dasksvd.digit.reader import load_default_model
from reproduce import photos
from reproduce.reader_scores import photo_accuracies


def test_most_drawings_are_read_in_every_light():
    found = photo_accuracies(load_default_model(), 20, np.random.default_rng(7))
    assert set(found) == {", ".join(condition) for condition in photos.CONDITIONS}
    assert np.mean(list(found.values())) >= 0.92
    assert min(found.values()) >= 0.75


def test_every_light_has_its_own_picture(rng):
    means = {light: np.mean(photos._light(light, np.random.default_rng(3))) for light in photos.LIGHTS}
    assert len({round(mean, 3) for mean in means.values()}) == len(photos.LIGHTS)
    with pytest.raises(ValueError, match="no such light"):
        photos._light("moonlight", rng)
