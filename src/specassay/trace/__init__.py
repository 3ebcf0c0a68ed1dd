"""From the sentence of a specification to its verdict."""
