"""Scripts that plan a route at a time: greedy, wary, racer, passenger."""
