"""The server's log: one JSON object a line."""

from __future__ import annotations

import contextvars
import json
import logging
from typing import Any

FIELDS = ("route", "method", "status", "ms", "error", "count")  # extra fields of log records that are written

request_id: contextvars.ContextVar[str] = contextvars.ContextVar("request_id", default="")


class JsonLogFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": self.formatTime(record),
            "level": record.levelname.lower(),
            "what": record.getMessage(),
        }
        if request_id.get():
            line["request"] = request_id.get()
        line |= {name: record.__dict__[name] for name in FIELDS if name in record.__dict__}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)
