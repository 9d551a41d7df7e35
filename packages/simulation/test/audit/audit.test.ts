import { describe, expect, test } from "vitest"
import { audit } from "../../src/audit/audit.js"
import type { Entry, Journal } from "../../src/audit/Journal.js"
import { journalOf } from "./journalOf.js"
import { soundHistory } from "./soundHistory.js"

const promisesOf = (journal: Journal) => new Set(audit(journal).map(({ promise }) => promise))

/** A sound history with one change: of the last entry for which `change` has a result; an empty list removes it. */
const changed = (change: (entry: Entry) => ReadonlyArray<Entry> | null): Journal => {
  const journal = soundHistory(6)
  const index = journal.findLastIndex((entry) => change(entry) !== null)
  const entry = journal[index]
  return entry === undefined ? [] : [...journal.slice(0, index), ...(change(entry) ?? []), ...journal.slice(index + 1)]
}

describe("audit", () => {
  test("a history that keeps all promises", () => {
    expect(audit(soundHistory(60))).toEqual([])
  })

  test("each beginning of such a history", () => {
    const journal = soundHistory(6)
    for (let length = 1; length < journal.length; length++) {
      expect(audit(journal.slice(0, length)), `${length}`).toEqual([])
    }
  })

  test("one change of a sound history is noticed", () => {
    const handedOverTwice = changed((entry) =>
      entry.kind === "hand-over" ? [entry, { ...entry, handOver: entry.handOver + 1_000_000 }] : null
    )
    expect(promisesOf(handedOverTwice)).toContain("handed-over-once")
    const lostWebhook = changed((entry) => (entry.kind === "webhook" ? [] : null))
    expect(promisesOf(lostWebhook)).toEqual(new Set(["event-delivered"]))
    const forged = changed((entry) => (entry.kind === "webhook" ? [{ ...entry, body: `${entry.body} ` }] : null))
    expect(promisesOf(forged)).toEqual(new Set(["webhook-signature"]))
    const unreported = changed((entry) =>
      entry.kind === "vendor-event" && entry.report.type === "receipt" ? [] : null
    )
    expect(promisesOf(unreported)).toEqual(new Set(["status-has-a-cause"]))
  })

  test("violations are in the order of time, with their entries", () => {
    const journal = journalOf((history) => {
      const id = history.send()
      history.handOver(id, "accepted")
      history.read(id, "queued", { body: "Goodbye" })
      history.handOver(id, "accepted")
    })
    expect(audit(journal).map(({ at, entries, promise }) => [promise, at - (journal[0]?.at ?? 0), entries])).toEqual([
      ["handed-over-once", 70, [3, 7]]
    ])
  })

  test("a journal begins with its world", () => {
    expect(() => audit(soundHistory(1).slice(1))).toThrow("begins with its world")
  })
})
