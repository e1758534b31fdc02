"""Expert iteration: a net learns what trying its options shows."""
