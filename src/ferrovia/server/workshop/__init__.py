"""The workshop over HTTP: boards of one's own, made, checked, drawn and played."""
