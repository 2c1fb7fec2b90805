"""What views share: tables, forms, charts, headlines, the cache of whole pages."""
