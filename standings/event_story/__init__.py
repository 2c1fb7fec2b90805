"""What the page of an event tells: its entries, its headline, who was left when."""
