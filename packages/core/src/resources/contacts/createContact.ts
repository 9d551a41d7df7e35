import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { IdempotencyRecord } from "../../model/IdempotencyRecord.js"
import type { Instant } from "../../model/Instant.js"
import { changes } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { Answer, Idempotency } from "../access/Answer.js"
import { type KeyOwner, lookUpIdempotency, storeIdempotency } from "../access/idempotency.js"
import type { Subscribers } from "../events/Outbox.js"
import type { ContactInput } from "./ContactInput.js"
import { encodeContact } from "./ContactResource.js"
import type { ContactReferences } from "./contactReferences.js"
import { contactCreated, newContact } from "./newContact.js"

/** What the rules of `POST /contacts` may read. */
export interface CreateContactWorld extends ContactReferences {
  /** Owner of the idempotency key, and the workspace of the contact. */
  readonly owner: KeyOwner
  readonly record: IdempotencyRecord | undefined
  readonly subscribers: Subscribers
}

/** One `POST /contacts`. */
export interface CreateContact {
  readonly decoded: PartialDecode<ContactInput>
  readonly idempotency: Idempotency
}

/**
 * The rules of `POST /contacts` (docs/reference/contacts.md#creating-a-contact) for applications, as a pure function.
 */
export const createContact = (
  world: CreateContactWorld,
  { decoded, idempotency }: CreateContact,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Answer>, Refusal> =>
  Either.gen(function* () {
    const replay = yield* lookUpIdempotency(world.record, idempotency, now)
    if (replay !== null) return { changes: null, result: replay.answer }
    const workspaceId = world.owner.workspace.id
    const contact = yield* newContact({ ...world, workspaceId }, decoded, now, ids)
    const answer = { status: 201, body: JSON.stringify({ data: encodeContact(contact) }) }
    return {
      changes: changes(
        workspaceId,
        storeIdempotency(world.record, world.owner, idempotency, answer, now),
        ...contactCreated(contact, world, now, ids)
      ),
      result: { ...answer, replayed: false }
    }
  })
