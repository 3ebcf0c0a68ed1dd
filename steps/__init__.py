"""What the sentences of the features mean: one file a concept of the domain."""
