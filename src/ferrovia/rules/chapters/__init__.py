"""The chapters of the rules, one module each, and what they share: actions, breaches, the menu."""
