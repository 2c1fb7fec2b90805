"""What pages of the laboratory show: forms, charts, words."""
