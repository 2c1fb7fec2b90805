"""How an event is worth points: seats by D'Hondt, formulas, the structure of a season."""
