import { type Caller, Contacts, contactResource } from "@parley/core"
import { Effect } from "effect"
import type { ContactsGroup } from "../contract/ContactsGroup.js"
import { pagedListOf } from "../contract/pagedList.js"
import type { GroupHandlers } from "../server/Call.js"

/** Implements the group `contacts` of the contract. */
export const contactsHandlers: Effect.Effect<GroupHandlers<typeof ContactsGroup, Caller>, never, Contacts> = Effect.map(
  Contacts,
  (contacts) => ({
    create: ({ caller, body, idempotency }) => contacts.create(caller, { decoded: body, idempotency }),
    list: ({ caller, query, url }) =>
      Effect.map(contacts.list(caller, query), (page) => pagedListOf(url, page, contactResource)),
    get: ({ caller, path }) =>
      Effect.map(contacts.get(caller, path.contact), (contact) => ({ data: contactResource(contact) }))
  })
)
