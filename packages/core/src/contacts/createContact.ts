import { Either } from "effect"
import type { Answer, Idempotency } from "../access/Answer.js"
import type { IdempotencyRecord } from "../access/IdempotencyRecord.js"
import { type KeyOwner, recall, remember } from "../access/recall.js"
import type { Decision } from "../Decider.js"
import type { Problems, Refusal } from "../errors/Refusal.js"
import type { Subscribers } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import type { Draft } from "../input/Draft.js"
import { changes } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { Contact } from "./Contact.js"
import type { ContactInput } from "./ContactInput.js"
import type { ContactReferences } from "./contactReferences.js"
import { contactCreated, newContact } from "./newContact.js"

/** All that the rules of `POST /contacts` may look at. */
export interface CreateContactWorld extends ContactReferences {
  /** Whose key it is, and in which workspace the contact will be. */
  readonly owner: KeyOwner
  /** What else is wrong with the input. */
  readonly problems?: Problems
  readonly record: IdempotencyRecord | undefined
  readonly subscribers: Subscribers
}

/** One `POST /contacts`. Its handles make it happen once also where it has no key. */
export interface CreateContact {
  readonly draft: Draft<ContactInput>
  readonly idempotency: Idempotency | null
}

/**
 * The rules of `POST /contacts` (spec, Contact; decisions.md §6), of applications and of administrators, as a value.
 * `encode` says what the answer shows of the contact.
 */
export const createContact = (
  world: CreateContactWorld,
  { draft, idempotency }: CreateContact,
  encode: (contact: Contact) => unknown,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Answer>, Refusal> =>
  Either.gen(function* () {
    const recalled = idempotency === null ? null : yield* recall(world.record, idempotency, now)
    if (recalled !== null) return { changes: null, result: recalled.answer }
    const workspaceId = world.owner.workspace.id
    const contact = yield* newContact({ ...world, workspaceId }, draft, now, ids, world.problems)
    const answer = { status: 201, body: JSON.stringify({ data: encode(contact) }) }
    return {
      changes: changes(
        workspaceId,
        idempotency === null ? {} : remember(world.record, world.owner, idempotency, answer, now),
        ...contactCreated(contact, world.subscribers, now, ids)
      ),
      result: { ...answer, replayed: false }
    }
  })
