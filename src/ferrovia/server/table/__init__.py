"""Tables: their log, who sits at them, who watches, and what can be done there."""
