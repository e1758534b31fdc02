"""This computer: compiling ahead, the doctor, the benchmarks."""
