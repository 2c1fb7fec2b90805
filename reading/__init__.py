"""Results as people type, paste or upload them, read and checked before anything is written."""
