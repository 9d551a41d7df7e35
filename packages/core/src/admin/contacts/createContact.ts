import { Either } from "effect"
import type { Answer, Idempotency } from "../../access/Answer.js"
import type { IdempotencyRecord } from "../../access/IdempotencyRecord.js"
import { administrators, recall, remember } from "../../access/recall.js"
import type { Workspace } from "../../access/Workspace.js"
import type { AdminContactInput } from "../../contacts/ContactInput.js"
import { encodeAdminContact } from "../../contacts/ContactResource.js"
import type { ContactReferences } from "../../contacts/contactReferences.js"
import { contactCreated, newContact } from "../../contacts/newContact.js"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Subscribers } from "../../events/Outbox.js"
import type { Instant } from "../../Instant.js"
import type { Draft } from "../../input/Draft.js"
import { changes } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { workspaceProblems } from "../workspaceProblems.js"

/** All that the administration's `POST /contacts` may look at. */
export interface CreateContactWorld extends ContactReferences {
  /** The one that the body names. */
  readonly workspace: Workspace | undefined
  readonly record: IdempotencyRecord | undefined
  readonly subscribers: Subscribers
}

/** One `POST /contacts`; its handles make it happen once also where it has no key. */
export interface CreateContact {
  readonly draft: Draft<AdminContactInput>
  readonly idempotency: Idempotency | null
}

/** The rules of the administration's `POST /contacts`: those of the public one (decisions.md §6). */
export const createContact = (
  world: CreateContactWorld,
  { draft, idempotency }: CreateContact,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Answer>, Refusal> =>
  Either.gen(function* () {
    const recalled = idempotency === null ? null : yield* recall(world.record, idempotency, now)
    if (recalled !== null) return { changes: null, result: recalled.answer }
    const { workspaceId = "" } = draft.value
    const problems = workspaceProblems(draft.value.workspaceId, world.workspace)
    const contact = yield* newContact({ ...world, workspaceId }, draft, now, ids, problems)
    const answer = { status: 201, body: JSON.stringify({ data: encodeAdminContact(contact) }) }
    return {
      changes: changes(
        workspaceId,
        idempotency === null ? {} : remember(world.record, administrators(workspaceId), idempotency, answer, now),
        ...contactCreated(contact, world.subscribers, now, ids)
      ),
      result: { ...answer, replayed: false }
    }
  })
