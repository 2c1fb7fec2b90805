"""Write live nights: passes, devices, and the log."""
