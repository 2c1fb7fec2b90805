"""Sealed seasons: the document, its checksum, and what is refused afterwards."""
