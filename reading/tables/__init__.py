"""Tables of any layout and file format: what their columns mean, and the results in them."""
