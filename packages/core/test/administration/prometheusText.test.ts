import { expect, it } from "@effect/vitest"
import { MetricBoundaries } from "effect"
import { prometheusText } from "../../src/administration/prometheusText.js"
import { gauge } from "../../src/kernel/metrics/Family.js"
import { recorded } from "../../src/kernel/metrics/recorded.js"
import { recorder } from "../../src/kernel/metrics/recorder.js"

it("writes the Prometheus text format", () => {
  const odd = gauge("odd", "two\nlines", [
    { labels: { path: 'C:\\"a"\n', lane: "x" }, value: 1.5 },
    { labels: {}, value: Number.POSITIVE_INFINITY }
  ])
  expect(prometheusText([odd, { name: "none", help: "-", type: "counter", samples: [] }])).toBe(
    [
      "# HELP odd two\\nlines",
      "# TYPE odd gauge",
      'odd{path="C:\\\\\\"a\\"\\n",lane="x"} 1.5',
      "odd +Inf",
      "# HELP none -",
      "# TYPE none counter",
      ""
    ].join("\n")
  )
})

it("records counters by label values", () => {
  const seen = recorder({ name: "test_seen_total", description: "Seen", labels: ["colour", "shape"] })
  seen(1, "red", "round")
  seen(2, "red", "flat")
  seen(3, "red", "round")
  const [family, ...others] = recorded("test_seen")
  expect(others).toEqual([])
  expect(family).toMatchObject({ name: "test_seen_total", help: "Seen", type: "counter" })
  expect(new Map(family?.samples.map(({ labels, value }) => [`${labels.colour} ${labels.shape}`, value]))).toEqual(
    new Map([
      ["red round", 4],
      ["red flat", 2]
    ])
  )
})

it("records histograms with cumulative buckets", () => {
  const sizes = recorder({
    name: "test_sizes",
    description: "Sizes",
    labels: [],
    boundaries: MetricBoundaries.fromIterable([1, 10])
  })
  for (const size of [0, 1, 2, 10, 11, 500]) sizes(size)
  expect(prometheusText(recorded("test_sizes"))).toBe(
    [
      "# HELP test_sizes Sizes",
      "# TYPE test_sizes histogram",
      'test_sizes_bucket{le="1"} 2',
      'test_sizes_bucket{le="10"} 4',
      'test_sizes_bucket{le="+Inf"} 6',
      "test_sizes_sum 524",
      "test_sizes_count 6",
      ""
    ].join("\n")
  )
})
