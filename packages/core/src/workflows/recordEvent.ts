import { Either } from "effect"
import type { Answer, Idempotency } from "../access/Answer.js"
import type { Caller } from "../access/Caller.js"
import type { IdempotencyRecord } from "../access/IdempotencyRecord.js"
import { recall, remember } from "../access/recall.js"
import type { Address, Contact } from "../contacts/Contact.js"
import { normaliseHandle } from "../contacts/Handle.js"
import type { Decision } from "../Decider.js"
import type { Problems, Refusal } from "../errors/Refusal.js"
import type { Instant } from "../Instant.js"
import { complete } from "../input/complete.js"
import type { Draft } from "../input/Draft.js"
import { changes, expect, row } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { BusinessEvent } from "./BusinessEvent.js"
import type { BusinessEventInput } from "./BusinessEventInput.js"
import type { RunKey } from "./Run.js"
import { startRuns } from "./startRuns.js"
import { isStartedBy, type Workflow } from "./Workflow.js"

/** All that the rules of `POST /events` may look at. */
export interface RecordEventWorld {
  readonly caller: Caller
  readonly record: IdempotencyRecord | undefined
  /** Who has the `contact_id`, in whatever workspace. */
  readonly contact: Contact | undefined
  /** Whose handle the `identity` is. */
  readonly address: Address | undefined
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

/** The normalised handle of the `identity`, or why it is none; null where no identity could be read. */
export const givenHandle = ({ value }: RecordEvent["draft"]): Either.Either<string, string> | null =>
  value.identity == null ? null : normaliseHandle(value.identity.channel, value.identity.externalId)

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
    const input = yield* complete(draft, contactProblems(world, draft))
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

/** Exactly one contact is named, by one way or by two that agree. What could not be read has its own problem already. */
const contactProblems = ({ caller, contact, address }: RecordEventWorld, draft: RecordEvent["draft"]): Problems => {
  const { contactId, identity } = draft.value
  const handle = givenHandle(draft)
  if (contactId === null && identity === null) {
    return {
      contact_id: ["is required unless identity is given"],
      identity: ["is required unless contact_id is given"]
    }
  }
  const problems: { [field: string]: ReadonlyArray<string> } = {}
  if (typeof contactId === "string" && contact?.workspaceId !== caller.workspace.id) {
    problems.contact_id = ["must be the id of a contact of this workspace"]
  }
  if (handle !== null && Either.isLeft(handle)) problems["identity.external_id"] = [handle.left]
  else if (handle !== null && address === undefined)
    problems.identity = ["must be an identity of a contact of this workspace"]
  else if (handle !== null && typeof contactId === "string" && address?.contactId !== contactId) {
    problems.identity = ["must be an identity of the contact that contact_id names"]
  }
  return problems
}
