import { describe, expect, it } from "@effect/vitest"
import type { RoundResult } from "../src/measuring/RoundResult.js"
import { comparisonRow, singleRow, table } from "../src/measuring/table.js"

const round = (perSecond: number, more: Partial<RoundResult> = {}): RoundResult => ({
  count: 10,
  perSecond,
  p50: 1,
  p99: 2,
  cpuMicros: 100,
  ...more
})

describe("Line", () => {
  it("divides the medians and shows the extremes", () => {
    const [, ours, floor, ratio] = comparisonRow("sends", {
      ours: [round(9_000), round(3_000), round(3_500)],
      floor: [round(1_000), round(1_400), round(900)]
    })
    expect(ours).toBe("3,500/s (3,000–9,000); p50 1.0 p99 2.0 ms; 100 µs CPU")
    expect(floor).toContain("1,000/s (900–1,400)")
    expect(ratio).toBe("**3.50×**")
  })

  it("leaves out what a round does not know, and a side that is not there", () => {
    const ours = [round(10, { p50: null, p99: null, cpuMicros: null })]
    expect(comparisonRow("stories", { ours, floor: [] })).toEqual(["stories", "10/s (10–10)", "–", "–"])
  })

  it("makes a table of lines", () => {
    expect(table([singleRow("memory", "80 MiB")])).toBe(
      "|  | Parley | by hand | ratio |\n| --- | ---: | ---: | ---: |\n| memory | 80 MiB | – | – |"
    )
  })
})
