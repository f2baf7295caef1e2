"""Results beside what was approved: records, comparison, drift."""
