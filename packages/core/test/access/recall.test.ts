import { describe, expect, it } from "@effect/vitest"
import { anIdempotencyRecord } from "@parley/testkit/rows"
import { Either } from "effect"
import { recall } from "../../src/access/recall.js"

const record = anIdempotencyRecord({ key: "k", fingerprint: "1".repeat(64) })
const same = { key: "k", fingerprint: record.fingerprint }
const now = record.expiresAt - 1

const reasonOf = (result: ReturnType<typeof recall>) => Either.flip(result).pipe(Either.getOrThrow).details.reason

describe("recall", () => {
  it("carries out what no record stands for, and what an expired one stood for", () => {
    expect(recall(undefined, same, now)).toEqual(Either.right(null))
    expect(recall(record, same, record.expiresAt)).toEqual(Either.right(null))
  })
  it("tells a key that stands for something else from one whose first request still runs", () => {
    expect(reasonOf(recall(record, { ...same, fingerprint: "2".repeat(64) }, now))).toBe("different_request")
    expect(reasonOf(recall({ ...record, state: "awaiting", deadline: now + 1 }, same, now))).toBe("still_running")
  })
  it("repeats the answer of what was done, and of what nobody waits for any more", () => {
    const answer = { status: record.status, body: record.body, replayed: true }
    expect(recall({ ...record, state: "done" }, same, now)).toEqual(Either.right({ answer, parts: {} }))
    const awaited = Either.getOrThrow(recall({ ...record, state: "awaiting", deadline: now }, same, now))
    expect(awaited?.answer).toEqual(answer)
    expect(awaited?.parts.sets?.map(({ values }) => values)).toEqual([{ state: "done" }])
  })
})
