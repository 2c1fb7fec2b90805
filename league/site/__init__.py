"""The machinery of the site: environment, broker and worker, headers, limits, logs."""
