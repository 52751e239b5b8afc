"""Drawings on a canvas, and pictures painted of them."""

import numpy as np
from PIL import Image, ImageDraw


def unit(strokes):
    points = np.concatenate(strokes)
    return [(stroke - points.min(axis=0)) / np.ptp(points, axis=0).max() for stroke in strokes]


def placed(strokes, scale, place, canvas=280, margin=20):
    extent = np.ptp(np.concatenate(strokes), axis=0)
    free = canvas - 2 * margin - scale * extent
    return [stroke * scale + margin + free * np.array(place) for stroke in strokes]


def painted(strokes, brush, canvas=280):
    """The canvas as a picture, drawn by Pillow with a round brush; light on dark."""
    picture = Image.new("L", (canvas, canvas))
    pen = ImageDraw.Draw(picture)
    for stroke in strokes:
        points = [tuple(map(float, point)) for point in stroke]
        pen.line(points, fill=255, width=brush)
        for x, y in points:
            pen.ellipse([x - brush / 2, y - brush / 2, x + brush / 2, y + brush / 2], fill=255)
    return np.asarray(picture)
