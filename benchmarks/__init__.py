"""Speed and memory side by side with other libraries, as ratios taken in one run."""
