import { Either } from "effect"
import type { Answer, Idempotency } from "../access/Answer.js"
import type { Caller } from "../access/Caller.js"
import type { IdempotencyRecord } from "../access/IdempotencyRecord.js"
import { recall, remember } from "../access/recall.js"
import type { Decision } from "../Decider.js"
import type { Refusal } from "../errors/Refusal.js"
import type { Subscribers } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import type { Draft } from "../input/Draft.js"
import { changes } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { ContactInput } from "./ContactInput.js"
import { encodeContact } from "./ContactResource.js"
import type { ContactReferences } from "./contactReferences.js"
import { contactCreated, newContact } from "./newContact.js"

/** All that the rules of `POST /contacts` may look at. */
export interface CreateContactWorld extends ContactReferences {
  readonly caller: Caller
  readonly record: IdempotencyRecord | undefined
  readonly subscribers: Subscribers
}

/** One `POST /contacts`. */
export interface CreateContact {
  readonly draft: Draft<ContactInput>
  readonly idempotency: Idempotency
}

/** The rules of `POST /contacts` (spec, Contact; decisions.md §6), as a value. */
export const createContact = (
  world: CreateContactWorld,
  { draft, idempotency }: CreateContact,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Answer>, Refusal> =>
  Either.gen(function* () {
    const recalled = yield* recall(world.record, idempotency, now)
    if (recalled !== null) return { changes: null, result: recalled.answer }
    const workspaceId = world.caller.workspace.id
    const contact = yield* newContact({ ...world, workspaceId }, draft, now, ids)
    const answer = { status: 201, body: JSON.stringify({ data: encodeContact(contact) }) }
    return {
      changes: changes(
        workspaceId,
        remember(world.record, world.caller, idempotency, answer, now),
        ...contactCreated(contact, world.subscribers, now, ids)
      ),
      result: { ...answer, replayed: false }
    }
  })
