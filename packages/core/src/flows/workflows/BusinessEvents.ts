import { Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import { Entitlements } from "../../ports/Entitlements.js"
import { type CommitError, lookup, type ReadError, Storage } from "../../ports/Storage.js"
import type { Answer } from "../../resources/access/Answer.js"
import type { Caller } from "../../resources/access/Caller.js"
import { contactLookups } from "./eventContact.js"
import { type RecordEvent, type RecordEventWorld, recordEvent } from "./recordEvent.js"
import { keysOf } from "./runs/startRuns.js"

/** Records business events of applications. */
export interface BusinessEvents {
  /** `POST /events`, from the idempotency check to the commit (docs/reference/requests.md#order-of-checks). */
  readonly record: (caller: Caller, command: RecordEvent) => Effect.Effect<Answer, Refusal | CommitError>
}
export const BusinessEvents = Context.GenericTag<BusinessEvents>("@parley/core/BusinessEvents")

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const entitlements = yield* Entitlements
  const { decideAndCommit } = yield* Decider

  const load = (caller: Caller, { decoded, idempotency }: RecordEvent): Effect.Effect<RecordEventWorld, ReadError> => {
    const workspaceId = caller.workspace.id
    const { dedupeKey, event } = decoded.value
    const applicationId = caller.application.id
    const [key, otherKey] = keysOf({ dedupeKey: dedupeKey ?? null, idempotencyKey: idempotency.key })
    return Effect.map(
      storage.read({
        records: lookup("idempotency", { applicationId, key: idempotency.key }),
        ...contactLookups(workspaceId, decoded),
        workflows: event === undefined ? null : lookup("workflows", { workspaceId, eventName: event }),
        taken: key === undefined ? null : lookup("runKeys", { applicationId, key }),
        takenToo: otherKey === undefined ? null : lookup("runKeys", { applicationId, key: otherKey })
      }),
      ({ records, contacts, addresses, taken, takenToo, workflows }) => ({
        caller,
        record: records[0],
        contact: contacts[0],
        address: addresses[0],
        workflows,
        taken: [...taken, ...takenToo]
      })
    )
  }

  return BusinessEvents.of({
    record: (caller, command) =>
      decideAndCommit(
        load(caller, command),
        (world, now, ids) => recordEvent(world, command, now, ids),
        () => entitlements.check(caller.application, "events.send")
      )
  })
})
