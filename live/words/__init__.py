"""What the scripts of live nights say, in the language of the reader."""
