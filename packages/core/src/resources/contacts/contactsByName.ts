import { Effect } from "effect"
import { searchKey } from "../../kernel/text/searchKey.js"
import type { Contact } from "../../model/Contact.js"
import { lookup, type ReadError, type Slice, type Storage } from "../../ports/Storage.js"
import type { ContactFilters } from "./ContactListQuery.js"
import { contactFilter } from "./contactFilter.js"

/** Contacts of a workspace in order of name (docs/reference/contacts.md#listing-contacts). */
export const contactsByName = (
  storage: Pick<Storage, "read" | "listContacts">,
  workspaceId: string,
  filters: ContactFilters,
  page: { readonly offset: number; readonly limit: number }
): Effect.Effect<Slice<Contact>, ReadError> =>
  Effect.gen(function* () {
    const { tags } = yield* storage.read({
      tags: filters.tag === null ? null : lookup("tags", { workspaceId, folded: searchKey(filters.tag) })
    })
    const filter = contactFilter(workspaceId, filters, tags[0])
    return filter === null ? { rows: [], total: 0 } : yield* storage.listContacts(filter, page)
  })
