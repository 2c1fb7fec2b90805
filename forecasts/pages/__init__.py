"""What pages of forecasts show."""
