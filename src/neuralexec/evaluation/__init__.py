"""Whether what an executor answers is right, and how far off it is where it is not."""
