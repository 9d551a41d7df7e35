import { Either } from "effect"
import type { Problems, Refusal } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { Contact } from "../../model/Contact.js"
import type { IdempotencyRecord } from "../../model/IdempotencyRecord.js"
import type { Instant } from "../../model/Instant.js"
import type { Lead } from "../../model/Lead.js"
import type { Pipeline } from "../../model/Pipeline.js"
import { changes } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { Answer, Idempotency } from "../access/Answer.js"
import type { Caller } from "../access/Caller.js"
import { lookUpIdempotency, storeIdempotency } from "../access/idempotency.js"
import type { Subscribers } from "../events/Outbox.js"
import { enterLead } from "./enterLead.js"
import type { LeadInput } from "./LeadInput.js"
import { encodeLead } from "./LeadResource.js"
import { resolveStage } from "./stages.js"

/** What the rules of `POST /leads` may read. */
export interface CreateLeadWorld {
  readonly caller: Caller
  readonly record: IdempotencyRecord | undefined
  /** The contact that the body names, in any workspace. */
  readonly contact: Contact | undefined
  /** All pipelines of the workspace. */
  readonly pipelines: ReadonlyArray<Pipeline>
  /** A lead that is already in the stage. */
  readonly leadInStage: Lead | undefined
  readonly subscribers: Subscribers
}

/** One `POST /leads`. */
export interface CreateLead {
  readonly decoded: PartialDecode<LeadInput>
  readonly idempotency: Idempotency
}

/** The rules of `POST /leads` (docs/reference/leads.md#creating-a-lead), as a pure function. */
export const createLead = (
  world: CreateLeadWorld,
  { decoded, idempotency }: CreateLead,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Answer>, Refusal> =>
  Either.gen(function* () {
    const replay = yield* lookUpIdempotency(world.record, idempotency, now)
    if (replay !== null) return { changes: null, result: replay.answer }
    const workspaceId = world.caller.workspace.id
    const pipelineStage = resolveStage(decoded.value, world.pipelines)
    const input = yield* complete(
      decoded,
      contactProblems(decoded.value.contactId, world.contact, workspaceId),
      Either.isLeft(pipelineStage) ? pipelineStage.left : {}
    )
    const { lead, parts } = enterLead(
      { ...input, workspaceId },
      Either.getOrThrow(pipelineStage),
      world.leadInStage,
      world.subscribers,
      now,
      ids
    )
    const answer = { status: 201, body: JSON.stringify({ data: encodeLead(lead) }) }
    return {
      changes: changes(workspaceId, storeIdempotency(world.record, world.caller, idempotency, answer, now), ...parts),
      result: { ...answer, replayed: false }
    }
  })

const contactProblems = (id: string | undefined, contact: Contact | undefined, workspaceId: string): Problems =>
  id === undefined || contact?.workspaceId === workspaceId
    ? {}
    : { contact_id: ["must be the id of a contact of this workspace"] }
