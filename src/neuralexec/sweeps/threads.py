"""One thread per worker: as many workers as cores, each with many threads, would slow all down."""

ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
}
"""Read by those libraries as they are imported, so it must be in a worker's environment before."""
