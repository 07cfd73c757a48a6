"""What answers requests: the JSON API and the pages."""
