package metric

import "slices"

// All is the table, family by family.
var All = slices.Concat(mediaMetrics, ratesMetrics, errorsMetrics, latencyMetrics, tokensMetrics, goodputMetrics, httpMetrics, networkMetrics, discrepancyMetrics, usageMetrics, replayMetrics, speculativeMetrics, adjustedMetrics, prefixMetrics, curveMetrics)
