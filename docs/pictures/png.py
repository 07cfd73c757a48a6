"""Compress screenshots: flat drawings look the same with a palette of 256 colours."""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page

# Decodes a PNG in the browser: one byte for each channel, four channels for each pixel.
DECODE = """async picture => {
  const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${picture}`)).blob());
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  canvas.drawImage(bitmap, 0, 0);
  const bytes = canvas.getImageData(0, 0, bitmap.width, bitmap.height).data;
  let text = "";
  for (let at = 0; at < bytes.length; at += 32768) text += String.fromCharCode(...bytes.subarray(at, at + 32768));
  return [bitmap.width, bitmap.height, btoa(text)];
}"""


def compress_png(page: Page, picture: bytes) -> bytes:
    """The picture with a palette. ``page`` is any page of a browser, which decodes it."""
    width, height, data = page.evaluate(DECODE, base64.b64encode(picture).decode())
    pixels = np.frombuffer(base64.b64decode(data), np.uint8).reshape(-1, 4)[:, :3]
    colours, inverse, counts = np.unique(pixels, axis=0, return_inverse=True, return_counts=True)
    palette = _palette(colours, counts)
    return _png(palette, _nearest(colours, palette)[inverse.ravel()].reshape(height, width))


def _palette(colours: NDArray[np.uint8], counts: NDArray[np.int64]) -> NDArray[np.uint8]:
    """At most 256 colours: the most frequent one of each group of similar colours, without the rarest groups."""
    order = np.argsort(-counts)
    _, first = np.unique(colours[order] >> 3, axis=0, return_index=True)
    palette: NDArray[np.uint8] = colours[order][np.sort(first)[:256]]
    return palette


def _nearest(colours: NDArray[np.uint8], palette: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The index of the nearest colour in the palette, for each colour."""
    nearest = [((palette.astype(int) - colour) ** 2).sum(axis=1).argmin() for colour in colours.astype(int)]
    return np.array(nearest, np.uint8)


def _png(palette: NDArray[np.uint8], indices: NDArray[np.uint8]) -> bytes:
    height, width = indices.shape
    rows = np.hstack([np.zeros((height, 1), np.uint8), indices]).tobytes()
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = ((b"IHDR", head), (b"PLTE", palette.tobytes()), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
