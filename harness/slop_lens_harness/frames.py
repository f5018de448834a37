"""Messages to the host, as frames that nobody without the nonce can write.

A message is one JSON object in ASCII, cut into frames of at most 4096 bytes, which a pipe takes whole or not at all:

    RS nonce SP source SP sequence SP (`+` more follows | `.` last) SP piece LF

Each source counts its own frames from 0, so that the host notices when one is lost.
"""

from __future__ import annotations

import json
import os
import signal
from typing import Any

FRAME_LIMIT = 4096


class FrameWriter:
    """Sends messages of one source (`supervisor` or `pytest`) to a file descriptor."""

    def __init__(self, descriptor: int, nonce: str, source: str) -> None:
        self._descriptor = descriptor
        self._start = f"\x1e{nonce} {source}"
        self._sequence = 0
        self._owner = os.getpid()

    def send(self, event: str, **fields: Any) -> None:
        """Sends one message. Copies of this process, made by tests that fork, stay silent."""
        if os.getpid() != self._owner:
            return
        text = json.dumps({"event": event, **fields}, separators=(",", ":"))
        # A test's timeout signal that came in the middle of a message would leave half of it behind.
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
        try:
            while text:
                text = self._send_piece(text)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)

    def _send_piece(self, text: str) -> str:
        head = f"{self._start} {self._sequence}"
        room = FRAME_LIMIT - len(head) - 4
        piece, rest = text[:room], text[room:]
        self._sequence += 1
        data = f"{head} {'+' if rest else '.'} {piece}\n".encode("ascii")
        while data:
            data = data[os.write(self._descriptor, data) :]
        return rest
