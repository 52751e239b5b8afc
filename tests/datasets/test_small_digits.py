"""scikit-learn's small digits, as images and as signals."""

from dasksvd.datasets import load_digits_8x8, to_signals


def test_small_digits():
    data = load_digits_8x8()
    assert data.train_images.shape == (1500, 8, 8)
    assert data.test_images.shape == (297, 8, 8)
    signals = to_signals(data.train_images)
    assert signals.shape == (1500, 64)
    assert signals.max() == 1
