"""Networks that execute: processors, heads, and the loop that runs them."""
