"""The benchmarks, a section of the page each."""
