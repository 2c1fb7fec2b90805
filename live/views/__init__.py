"""The pages of a live night, and the protocol of its devices."""
