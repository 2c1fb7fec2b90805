"""Demo clubs, made from the files in demo/ by the services of the site."""
