"""The user interface of Forbidden Desert: names, texts, views, terminal and browser page."""
