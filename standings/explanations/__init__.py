"""Why a rating changed: steps, sentences, figures, charts."""
