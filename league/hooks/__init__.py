"""What the core asks the apps above it, which it does not import."""
