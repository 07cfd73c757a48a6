"""The two ways in which kernels run, for tests to which it matters."""

from __future__ import annotations

import pytest

from skerry.engine.kernel import INTERPRETED

# Both ways play the same games to the byte, so that what compiled games prove needs no proof by interpreted ones.
only_compiled = pytest.mark.skipif(INTERPRETED, reason="so many games take minutes when interpreted")
