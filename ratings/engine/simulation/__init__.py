"""The publication's simulated seasons, and figures that explain settings by rated fields."""
