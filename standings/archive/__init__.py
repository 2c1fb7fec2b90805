"""A club as one file, and back: docs/club-archive.md."""
