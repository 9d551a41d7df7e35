import { describe, expect, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { following, isPast, maxLatenessMs, newSince, reaching, tailSince } from "../src/commands/LogTail.js"

const start = Date.parse("2026-05-04T08:30:00.000Z")
const line = (number: number, afterMs: number) => ({
  id: `0190a1b2-0000-7000-8000-${String(afterMs).padStart(6, "0")}${String(number).padStart(6, "0")}`,
  created_at: new Date(start + afterMs).toISOString()
})

describe("following a log", () => {
  it("shows each line once, oldest first", () => {
    const [one, two, three] = [line(1, 0), line(2, 10), line(3, 20)]
    const first = following(tailSince(0), [two, one])
    expect(first.lines).toEqual([one, two])
    const second = following(first.tail, [three, two, one])
    expect(second.lines).toEqual([three])
    expect(following(second.tail, [three, two, one]).lines).toEqual([])
  })

  it("shows a late line of a slow response after newer ones", () => {
    const slow = line(1, 0)
    const { tail } = following(tailSince(0), [line(2, maxLatenessMs)])
    expect(following(tail, [line(2, maxLatenessMs), slow]).lines).toEqual([slow])
  })

  it("shows no lines older than its start", () => {
    expect(following(tailSince(start + 5), [line(2, 6), line(1, 4)]).lines).toEqual([line(2, 6)])
  })

  it("reads back at most the maximum delay, also without matching lines", () => {
    const quiet = reaching(tailSince(0), start)
    expect(newSince(quiet)).toBe(start - maxLatenessMs)
    expect(newSince(reaching(quiet, start - maxLatenessMs))).toBe(start - maxLatenessMs)
    expect(following(quiet, [line(2, 1)]).lines).toEqual([line(2, 1)])
    expect(newSince(tailSince(start))).toBe(start)
  })

  it("remembers only lines that it may read again", () => {
    const { tail } = following(tailSince(0), [line(2, maxLatenessMs + 1), line(1, 0)])
    expect([...tail.shown.keys()]).toEqual([line(2, maxLatenessMs + 1).id])
    expect(isPast(tail, line(1, 0))).toBe(true)
    expect(isPast(tail, line(2, maxLatenessMs + 1))).toBe(false)
  })

  it("neither misses nor repeats lines, in any order within the maximum delay", () => {
    const arrivals = fc.array(fc.record({ at: fc.nat(60_000), takes: fc.nat(maxLatenessMs) }), { maxLength: 80 })
    fc.assert(
      fc.property(arrivals, fc.integer({ min: 100, max: 5_000 }), (requests, pause) => {
        const all = requests.map(({ at, takes }, number) => ({ ...line(number, at), there: at + takes }))
        let tail = tailSince(0)
        const shown: Array<string> = []
        for (let now = 0; now <= 60_000 + maxLatenessMs + pause; now += pause) {
          const there = all.filter((one) => one.there <= now)
          // As the log is read: newest first, until a line is past.
          const newestFirst = there.sort((one, other) => (one.id < other.id ? 1 : -1))
          const end = newestFirst.findIndex((one) => isPast(tail, one))
          const next = following(tail, end < 0 ? newestFirst : newestFirst.slice(0, end))
          shown.push(...next.lines.map(({ id }) => String(id)))
          tail = next.tail
        }
        expect([...shown].sort()).toEqual(all.map(({ id }) => id).sort())
      })
    )
  })
})
