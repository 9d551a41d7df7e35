import { describe, expect, it } from "@effect/vitest"
import { anIdempotencyRecord } from "@parley/testkit/rows"
import { Either } from "effect"
import { lookUpIdempotency } from "../../../src/resources/access/idempotency.js"

const record = anIdempotencyRecord({ key: "k", fingerprint: "1".repeat(64) })
const same = { key: "k", fingerprint: record.fingerprint }
const now = record.expiresAt - 1

const reasonOf = (result: ReturnType<typeof lookUpIdempotency>) =>
  Either.flip(result).pipe(Either.getOrThrow).details.reason

describe("idempotency lookup", () => {
  it("executes an operation without a record or with an expired one", () => {
    expect(lookUpIdempotency(undefined, same, now)).toEqual(Either.right(null))
    expect(lookUpIdempotency(record, same, record.expiresAt)).toEqual(Either.right(null))
  })
  it("distinguishes a key of another request from a first request that still runs", () => {
    expect(reasonOf(lookUpIdempotency(record, { ...same, fingerprint: "2".repeat(64) }, now))).toBe("different_request")
    expect(reasonOf(lookUpIdempotency({ ...record, state: "awaiting", deadline: now + 1 }, same, now))).toBe(
      "still_running"
    )
  })
  it("replays a done record, and one whose deadline has passed", () => {
    const answer = { status: record.status, body: record.body, replayed: true }
    expect(lookUpIdempotency({ ...record, state: "done" }, same, now)).toEqual(Either.right({ answer, parts: {} }))
    const awaitedKey = Either.getOrThrow(lookUpIdempotency({ ...record, state: "awaiting", deadline: now }, same, now))
    expect(awaitedKey?.answer).toEqual(answer)
    expect(awaitedKey?.parts.sets?.map(({ values }) => values)).toEqual([{ state: "done" }])
  })
})
