"""Tables: their logs, their seats, their viewers, and what can be done there."""
