"""The user interface of Forbidden Island: names, texts, views, terminal and browser page."""
