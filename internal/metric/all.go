package metric

import "slices"

// All is the table, family by family; the last four, which have no order of their own, in that of the
// reports.
var All = slices.Concat(mediaMetrics, ratesMetrics, errorsMetrics, latencyMetrics, tokensMetrics, goodputMetrics, httpMetrics, networkMetrics, discrepancyMetrics, usageMetrics, replayMetrics, speculativeMetrics, adjustedMetrics, curveMetrics, creditMetrics, prefixMetrics)
