"""Translations: catalogues, plural and gender forms, and the extraction of what has to be translated."""
