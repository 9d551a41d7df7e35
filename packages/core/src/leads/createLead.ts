import { Either } from "effect"
import type { Answer, Idempotency } from "../access/Answer.js"
import type { Caller } from "../access/Caller.js"
import type { IdempotencyRecord } from "../access/IdempotencyRecord.js"
import { recall, remember } from "../access/recall.js"
import type { Contact } from "../contacts/Contact.js"
import type { Decision } from "../Decider.js"
import type { Problems, Refusal } from "../errors/Refusal.js"
import type { Subscribers } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import { complete } from "../input/complete.js"
import type { Draft } from "../input/Draft.js"
import { changes } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import { enterLead } from "./enterLead.js"
import type { Lead } from "./Lead.js"
import type { LeadInput } from "./LeadInput.js"
import { encodeLead } from "./LeadResource.js"
import type { Pipeline } from "./Pipeline.js"
import { placeOf } from "./stages.js"

/** All that the rules of `POST /leads` may look at. */
export interface CreateLeadWorld {
  readonly caller: Caller
  readonly record: IdempotencyRecord | undefined
  /** The one that the body names, in whatever workspace. */
  readonly contact: Contact | undefined
  /** Those of the workspace. */
  readonly pipelines: ReadonlyArray<Pipeline>
  /** A lead that is in the stage already. */
  readonly occupant: Lead | undefined
  readonly subscribers: Subscribers
}

/** One `POST /leads`. */
export interface CreateLead {
  readonly draft: Draft<LeadInput>
  readonly idempotency: Idempotency
}

/** The rules of `POST /leads` (spec, Lead; decisions.md §10), as a value. */
export const createLead = (
  world: CreateLeadWorld,
  { draft, idempotency }: CreateLead,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Answer>, Refusal> =>
  Either.gen(function* () {
    const recalled = yield* recall(world.record, idempotency, now)
    if (recalled !== null) return { changes: null, result: recalled.answer }
    const workspaceId = world.caller.workspace.id
    const place = placeOf(draft.value, world.pipelines)
    const input = yield* complete(
      draft,
      contactProblems(draft.value.contactId, world.contact, workspaceId),
      Either.isLeft(place) ? place.left : {}
    )
    const { lead, parts } = enterLead(
      { ...input, workspaceId },
      Either.getOrThrow(place),
      world.occupant,
      world.subscribers,
      now,
      ids
    )
    const answer = { status: 201, body: JSON.stringify({ data: encodeLead(lead) }) }
    return {
      changes: changes(workspaceId, remember(world.record, world.caller, idempotency, answer, now), ...parts),
      result: { ...answer, replayed: false }
    }
  })

const contactProblems = (id: string | undefined, contact: Contact | undefined, workspaceId: string): Problems =>
  id === undefined || contact?.workspaceId === workspaceId
    ? {}
    : { contact_id: ["must be the id of a contact of this workspace"] }
