"""Training by self-play (extra `learn`): only here PyTorch is needed."""
