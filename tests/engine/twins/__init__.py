"""Slow twins of the engines' loops: written from the publications, one step at a time. Only tests use them."""
