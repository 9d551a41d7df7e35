import { Effect, Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Decider } from "../../kernel/Decider.js"
import { derivedIdAt } from "../../kernel/derivedId.js"
import type { IdempotencyRecord } from "../../model/IdempotencyRecord.js"
import type { Instant } from "../../model/Instant.js"
import { type Changes, changes, expect, row, set } from "../../ports/Changes.js"
import { type CommitError, lookup, type ReadError, type Storage } from "../../ports/Storage.js"
import { partRetention } from "../../resources/access/declaredPart.js"

/** Scope of the record; it belongs to no workspace. */
const scope = derivedIdAt(0, "purged deliveries")
const key = { applicationId: scope, key: "before" }

const load = (storage: Pick<Storage, "read">): Effect.Effect<IdempotencyRecord | undefined, ReadError> =>
  Effect.map(storage.read({ records: lookup("idempotency", key) }), ({ records }) => records[0])

const timeOf = (record: IdempotencyRecord | undefined): Instant => (record === undefined ? 0 : Number(record.body))

/**
 * How far any host has purged deliveries, in ms: older ones may be gone. 0: none was purged. Hosts may have different
 * settings of retention, and a setting may have been shorter before.
 */
export const deliveriesPurgedBefore = (storage: Pick<Storage, "read">): Effect.Effect<Instant, ReadError> =>
  Effect.map(load(storage), timeOf)

/** Records that deliveries before this time (ms) are purged; called before their purge. Never moves the record back. */
export const recordPurgeOfDeliveries = (
  storage: Pick<Storage, "read">,
  decider: Decider,
  before: Instant
): Effect.Effect<void, Refusal | CommitError> =>
  decider.decideAndCommit(load(storage), (present, now) =>
    Either.right({ changes: timeOf(present) < before ? recorded(present, before, now) : null, result: undefined })
  )

const recorded = (present: IdempotencyRecord | undefined, before: Instant, now: Instant): Changes => {
  const body = `${before}`
  if (present !== undefined) {
    const expects = [expect("idempotency", key, { version: present.version })]
    return changes(scope, { expects, sets: [set("idempotency", key, { body })] })
  }
  const record: IdempotencyRecord = {
    ...key,
    workspaceId: scope,
    fingerprint: "",
    state: "done",
    deadline: now,
    status: 200,
    body,
    createdAt: now,
    expiresAt: now + partRetention,
    version: 1
  }
  return changes(scope, { claims: [row("idempotency", record)] })
}
