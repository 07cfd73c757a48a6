"""The HTTP routes: the JSON API and the pages."""
