"""What processes need that compute for the process that started them."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading

PR_SET_PDEATHSIG = 1  # of Linux' prctl


def end_with_parent() -> None:
    """End when the parent does, whose end of the pipe to the standard input is closed then.

    On Linux the system kills this process, also while it is stopped.
    """
    end_by_signal_with_parent()
    threading.Thread(target=_wait_for_parent, daemon=True).start()


def end_by_signal_with_parent() -> None:
    """On Linux, let the system kill this process when the parent ends, and leave the standard input alone."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _wait_for_parent() -> None:
    sys.stdin.read()
    os._exit(1)
