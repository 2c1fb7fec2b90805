"""Simulated seasons: their forms, findings and reports."""
