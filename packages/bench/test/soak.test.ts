import { describe, expect, it } from "@effect/vitest"
import { makeLedger } from "../src/soak/Ledger.js"
import { blockSeconds, readSoakOptions } from "../src/soak/options.js"
import {
  addedCounts,
  comparisonsOf,
  hostMicrosPerResult,
  type Losses,
  memoryGrowth,
  verdictsOf,
  verdictText
} from "../src/soak/report.js"

describe("readSoakOptions", () => {
  it("runs all attacks for half an hour on Postgres by default", () => {
    const options = readSoakOptions([])
    expect(options).toMatchObject({ minutes: 30, database: "postgres", blocks: 5 })
    expect(options.only).toContain("silent-bodies")
    expect(blockSeconds(options)).toBe(174)
  })

  it("takes one attack", () => {
    expect(readSoakOptions(["--only", "chat-flood", "--database", "sqlite"])).toMatchObject({
      only: ["chat-flood"],
      database: "sqlite"
    })
  })

  it.each([
    ["an unknown attack", ["--only", "fire"]],
    ["an unknown database", ["--database", "oracle"]],
    ["blocks below 30 s", ["--minutes", "2", "--blocks", "2"]],
    ["a part of a block", ["--blocks", "1.5"]],
    ["minutes that are no number", ["--minutes", "many"]]
  ])("refuses %s with the usage", (_, argv) => {
    expect(() => readSoakOptions(argv)).toThrow("npm run soak")
  })
})

describe("the ledger", () => {
  const event = { reference: "m1", type: "message.sent", eventId: "e1" }

  it("misses accepted messages without all of their events", () => {
    const ledger = makeLedger()
    ledger.accept("m1", ["message.sent", "message.read"])
    ledger.accept("m2", ["message.sent"])
    ledger.report(event)
    expect(ledger.missing()).toEqual(["m1: message.read", "m2: message.sent"])
  })

  it("knows webhooks that come before the answer", () => {
    const ledger = makeLedger()
    expect(ledger.report(event)).toBe(true)
    expect(ledger.report({ ...event, type: "message.read", eventId: "e2" })).toBe(false)
    ledger.accept("m1", ["message.sent"])
    expect(ledger.missing()).toEqual([])
  })

  it("allows an event twice, but not under two ids", () => {
    const ledger = makeLedger()
    ledger.report(event)
    ledger.report(event)
    expect(ledger.repeated()).toEqual([])
    ledger.report({ ...event, eventId: "e2" })
    expect(ledger.repeated()).toEqual(["m1: message.sent as e1, e2"])
  })
})

const upTo = (last: number, factor: number) => Array.from({ length: last }, (_, n) => (n + 1) * factor)
const samplesOf = (factor: number) => {
  const attack = { answer: upTo(100, factor), webhook: upTo(100, 1), visitor: upTo(100, 1), reply: upTo(100, 1) }
  const dummy = { answer: upTo(100, 1), webhook: upTo(100, 1), visitor: upTo(100, 1), reply: upTo(100, 1) }
  return { attack, dummy }
}
const none: Losses = { unaccepted: [], missing: [], repeated: [] }
const passed = (factor: number, losses: Losses = none, late = 110) =>
  verdictsOf(comparisonsOf(samplesOf(factor)), losses, { earlyBytes: 100, lateBytes: late, seconds: 60 }).map(
    (verdict) => verdict.passed
  )

describe("the verdicts", () => {
  it("compare the percentiles of both loads", () => {
    const [answer] = comparisonsOf(samplesOf(3))
    expect(answer).toMatchObject({
      count: 100,
      attack: { p50: 153, p99: 300 },
      dummy: { p50: 51, p99: 100 },
      ratio: 3
    })
  })

  it("pass at the limits and fail beyond one of them", () => {
    expect(passed(2)).toEqual([true, true, true, true])
    expect(passed(2.1)).toEqual([true, false, true, true])
    expect(passed(1, { ...none, missing: ["m1: message.sent"] })).toEqual([true, true, false, true])
    expect(passed(1, { ...none, repeated: ["m1"] })).toEqual([true, true, false, true])
    expect(passed(1, { ...none, unaccepted: ["m1"] })).toEqual([true, true, false, true])
    expect(passed(1, none, 111)).toEqual([true, true, true, false])
  })

  it("end with the result of all", () => {
    const text = (passed: ReadonlyArray<boolean | null>) =>
      verdictText(passed.map((one) => ({ criterion: "c", passed: one, detail: "d" })))
        .split("\n")
        .at(-1)
    expect(text([true, true])).toBe("Result: passed")
    expect(text([true, null])).toBe("Result: passed; 1 not measured")
    expect(text([false, true, null])).toBe("Result: failed, 1 of 3; 1 not measured")
  })

  it("fail on a machine that is overloaded without an attack", () => {
    const slow = { answer: [1_001], webhook: [1], visitor: [1], reply: [1] }
    const verdicts = verdictsOf(comparisonsOf({ attack: slow, dummy: slow }), none, null)
    expect(verdicts.map((verdict) => verdict.passed)).toEqual([false, true, true, null])
  })

  it("fail without samples, and leave memory open that was not measured", () => {
    const verdicts = verdictsOf(comparisonsOf({ attack: {}, dummy: {} }), none, null)
    expect(verdicts.map((verdict) => verdict.passed)).toEqual([false, false, true, null])
  })
})

describe("memoryGrowth", () => {
  const run = (seconds: number, bytesAt: (second: number) => number) =>
    Array.from({ length: seconds / 5 + 1 }, (_, n) => ({ seconds: n * 5, bytes: bytesAt(n * 5) }))

  it("compares the first pair of blocks after five minutes with the last", () => {
    const sampled = run(1_800, (second) => (second < 300 ? second : 1_000 + second))
    expect(memoryGrowth(sampled, 300)).toEqual({ earlyBytes: 1_450, lateBytes: 2_650, seconds: 300 })
  })

  it("shortens the windows of a short run, down to a minute", () => {
    expect(
      memoryGrowth(
        run(500, () => 1),
        348
      )?.seconds
    ).toBe(100)
    expect(
      memoryGrowth(
        run(400, () => 1),
        348
      )
    ).toBeNull()
    expect(memoryGrowth([], 348)).toBeNull()
  })
})

describe("addedCounts", () => {
  it("adds the results of each attack over the blocks", () => {
    expect(addedCounts([{ churn: { reset: 2 } }, { churn: { reset: 1, "429": 4 } }])).toEqual({
      churn: { reset: 3, "429": 4 }
    })
  })
})

describe("hostMicrosPerResult", () => {
  it("divides the CPU that the host used beyond the dummy load by the results of all attacks", () => {
    const shares = { attack: [0.5, 0.7], dummy: [0.3, 0.4] }
    const counts = { guesses: { "401": 600, "429": 4_000 }, churn: { "opened and reset": 5_400 } }
    expect(hostMicrosPerResult(shares, 100, counts)).toBeCloseTo(5_000)
  })
})
