"""Tables to download, as CSV and XLSX."""
