"""To and from the graph types of other libraries."""
