"""Internationalisation: catalogues, plural and gender forms, and the extraction of the texts to translate."""
