import { Either } from "effect"
import type { Problems, Refusal } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { Contact } from "../../model/Contact.js"
import type { IdempotencyRecord } from "../../model/IdempotencyRecord.js"
import type { Instant } from "../../model/Instant.js"
import { changes } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { Answer, Idempotency } from "../access/Answer.js"
import { type KeyOwner, lookUpIdempotency, storeIdempotency } from "../access/idempotency.js"
import type { Subscribers } from "../events/Outbox.js"
import type { ContactInput } from "./ContactInput.js"
import type { ContactReferences } from "./contactReferences.js"
import { contactCreated, newContact } from "./newContact.js"

/** What the rules of `POST /contacts` may read. */
export interface CreateContactWorld extends ContactReferences {
  /** Owner of the idempotency key, and the workspace of the contact. */
  readonly owner: KeyOwner
  /** Further problems of the input. */
  readonly problems?: Problems
  readonly record: IdempotencyRecord | undefined
  readonly subscribers: Subscribers
}

/** One `POST /contacts`. Without an idempotency key, its handles prevent a second contact. */
export interface CreateContact {
  readonly decoded: PartialDecode<ContactInput>
  readonly idempotency: Idempotency | null
}

/**
 * The rules of `POST /contacts` (docs/reference/contacts.md#creating-a-contact) for applications and administrators, as
 * a pure function. `encode` returns the wire shape of the contact for the response.
 */
export const createContact = (
  world: CreateContactWorld,
  { decoded, idempotency }: CreateContact,
  encode: (contact: Contact) => unknown,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Answer>, Refusal> =>
  Either.gen(function* () {
    const replay = idempotency === null ? null : yield* lookUpIdempotency(world.record, idempotency, now)
    if (replay !== null) return { changes: null, result: replay.answer }
    const workspaceId = world.owner.workspace.id
    const contact = yield* newContact({ ...world, workspaceId }, decoded, now, ids, world.problems)
    const answer = { status: 201, body: JSON.stringify({ data: encode(contact) }) }
    return {
      changes: changes(
        workspaceId,
        idempotency === null ? {} : storeIdempotency(world.record, world.owner, idempotency, answer, now),
        ...contactCreated(contact, world.subscribers, now, ids)
      ),
      result: { ...answer, replayed: false }
    }
  })
