"""Boards, tickets and cards on paper, in millimetres."""
