import { Effect, Schema } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { cursors } from "../../kernel/input/Cursor.js"
import { type Listed, listByCursor } from "../../kernel/input/CursorList.js"
import { wholeNumber } from "../../kernel/input/Fields.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { Contact } from "../../model/Contact.js"
import type { ReadError, Storage } from "../../ports/Storage.js"
import type { ContactSearchQuery } from "./ContactListQuery.js"
import { contactsByName } from "./contactsByName.js"

const byName = cursors("contact search", Schema.Struct({ offset: wholeNumber(0, Number.MAX_SAFE_INTEGER) }))

/**
 * A page of `GET /contacts/search` of the administration: a workspace's contacts in order of name. Cursors count rows,
 * so a contact whose name changes meanwhile may be missing or twice.
 */
export const searchContacts = (
  storage: Storage,
  query: PartialDecode<ContactSearchQuery>
): Effect.Effect<Listed<Contact>, Refusal | ReadError> => {
  const { channel, createdAfter, lifecycleStage, search, tag, workspaceId } = query.value
  const filters = {
    workspace_id: workspaceId,
    search,
    lifecycle_stage: lifecycleStage,
    tag,
    channel,
    created_after: createdAfter
  }
  const load = (after: { readonly offset: number } | null, limit: number) => {
    // Complete: rows are loaded for a query without problems only.
    const complete = query.value as ContactSearchQuery
    const offset = after?.offset ?? 0
    return Effect.map(contactsByName(storage, complete.workspaceId, complete, { offset, limit }), ({ rows }) =>
      rows.map((contact, index) => ({ contact, offset: offset + index + 1 }))
    )
  }
  const page = listByCursor({ cursors: byName, filters, positionOf: ({ offset }) => ({ offset }), load }, query)
  return Effect.map(page, (listed) => ({ ...listed, rows: listed.rows.map(({ contact }) => contact) }))
}
