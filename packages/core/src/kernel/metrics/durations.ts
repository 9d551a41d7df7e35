import { MetricBoundaries } from "effect"

/**
 * Bucket boundaries of all duration histograms, in seconds: from responses out of memory to the timeouts of receivers.
 */
export const durations: MetricBoundaries.MetricBoundaries = MetricBoundaries.fromIterable([
  0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10
])
