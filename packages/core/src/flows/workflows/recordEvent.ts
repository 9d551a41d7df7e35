import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { BusinessEvent } from "../../model/BusinessEvent.js"
import type { IdempotencyRecord } from "../../model/IdempotencyRecord.js"
import type { Instant } from "../../model/Instant.js"
import type { RunKey } from "../../model/Run.js"
import { isStartedBy, type Workflow } from "../../model/Workflow.js"
import { changes, expect, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { Answer, Idempotency } from "../../resources/access/Answer.js"
import type { Caller } from "../../resources/access/Caller.js"
import { lookUpIdempotency, storeIdempotency } from "../../resources/access/idempotency.js"
import type { BusinessEventInput } from "./BusinessEventInput.js"
import { contactProblems, type EventContacts } from "./eventContact.js"
import { startRuns } from "./runs/startRuns.js"

/** What the rules of `POST /events` read. */
export interface RecordEventWorld extends EventContacts {
  readonly caller: Caller
  readonly record: IdempotencyRecord | undefined
  /** Workflows of the workspace with this event name, published or not. */
  readonly workflows: ReadonlyArray<Workflow>
  /** Runs that the event's dedupe keys started before. */
  readonly taken: ReadonlyArray<RunKey>
}

/** One `POST /events`. */
export interface RecordEvent {
  readonly decoded: PartialDecode<BusinessEventInput>
  readonly idempotency: Idempotency
}

/**
 * The rules of `POST /events` (docs/reference/events.md#business-events, docs/reference/events.md#matching-workflows):
 * stores the event and starts a run of each matching published workflow. The response counts all matching workflows,
 * including those that a duplicate does not start again.
 */
export const recordEvent = (
  world: RecordEventWorld,
  { decoded, idempotency }: RecordEvent,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Answer>, Refusal> =>
  Either.gen(function* () {
    const replay = yield* lookUpIdempotency(world.record, idempotency, now)
    if (replay !== null) return { changes: null, result: replay.answer }
    const input = yield* complete(decoded, contactProblems(world.caller.workspace.id, world, decoded))
    const { application, workspace } = world.caller
    const contactId = (input.contactId ?? world.address?.contactId) as string
    const event: BusinessEvent = {
      id: ids.next(now),
      workspaceId: workspace.id,
      applicationId: application.id,
      name: input.event,
      contactId,
      dedupeKey: input.dedupeKey,
      idempotencyKey: idempotency.key,
      data: input.data ?? {},
      createdAt: now
    }
    const matched = world.workflows.filter((workflow) => isStartedBy(workflow, event.name))
    const answer = { status: 202, body: JSON.stringify({ data: { workflows_matched: matched.length } }) }
    return {
      changes: changes(
        workspace.id,
        storeIdempotency(world.record, world.caller, idempotency, answer, now),
        {
          expects: [expect("contacts", { id: contactId })],
          inserts: [row("businessEvents", event)]
        },
        startRuns(event, matched, world.taken, ids)
      ),
      result: { ...answer, replayed: false }
    }
  })
