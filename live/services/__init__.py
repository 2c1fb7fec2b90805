"""What is written of a live night: passes, devices, and the log."""
