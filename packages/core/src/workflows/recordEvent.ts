import { Either } from "effect"
import type { Answer, Idempotency } from "../access/Answer.js"
import type { Caller } from "../access/Caller.js"
import type { IdempotencyRecord } from "../access/IdempotencyRecord.js"
import { recall, remember } from "../access/recall.js"
import type { Decision } from "../Decider.js"
import type { Refusal } from "../errors/Refusal.js"
import type { Instant } from "../Instant.js"
import { complete } from "../input/complete.js"
import type { Draft } from "../input/Draft.js"
import { changes, expect, row } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { BusinessEvent } from "./BusinessEvent.js"
import type { BusinessEventInput } from "./BusinessEventInput.js"
import { type ContactNamed, contactProblems } from "./eventContact.js"
import type { RunKey } from "./runs/Run.js"
import { startRuns } from "./runs/startRuns.js"
import { isStartedBy, type Workflow } from "./Workflow.js"

/** All that the rules of `POST /events` may look at. */
export interface RecordEventWorld extends ContactNamed {
  readonly caller: Caller
  readonly record: IdempotencyRecord | undefined
  /** Those of the workspace that listen for the name, published or not. */
  readonly workflows: ReadonlyArray<Workflow>
  /** The runs that the keys of the event started before. */
  readonly taken: ReadonlyArray<RunKey>
}

/** One `POST /events`. */
export interface RecordEvent {
  readonly draft: Draft<BusinessEventInput>
  readonly idempotency: Idempotency
}

/**
 * The rules of `POST /events` (spec, Business events and automations; decisions.md §13), as a value. The event is kept,
 * and starts a run of each published workflow that it is for; the answer counts these, also those in which it started one before.
 */
export const recordEvent = (
  world: RecordEventWorld,
  { draft, idempotency }: RecordEvent,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Answer>, Refusal> =>
  Either.gen(function* () {
    const recalled = yield* recall(world.record, idempotency, now)
    if (recalled !== null) return { changes: null, result: recalled.answer }
    const input = yield* complete(draft, contactProblems(world.caller.workspace.id, world, draft))
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
        remember(world.record, world.caller, idempotency, answer, now),
        {
          expects: [expect("contacts", { id: contactId })],
          inserts: [row("businessEvents", event)]
        },
        startRuns(event, matched, world.taken, ids)
      ),
      result: { ...answer, replayed: false }
    }
  })
