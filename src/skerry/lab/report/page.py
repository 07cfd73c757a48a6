"""The frame of a report: a page that needs no other file, with no script, no web font and nothing fetched."""

from __future__ import annotations

from importlib.resources import files

from skerry.lab.report.html import Markup, tag


def html_page(title: str, *content: Markup, language: str = "en") -> str:
    """A page with the reports' style sheet."""
    style = Markup((files(__package__) / "style.css").read_text(encoding="utf-8"))
    head = tag(
        "head",
        Markup('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup('<meta name="color-scheme" content="light dark">'),
        tag("title", f"{title} · Skerry"),
        tag("style", style),
    )
    return f"<!doctype html>\n{tag('html', head, tag('body', tag('main', *content)), lang=language)}\n"
