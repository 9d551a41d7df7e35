import { AdminContactHistory, AdminContacts, ContactImports, contactResource } from "@parley/core"
import { Effect } from "effect"
import { pageOf } from "../contract/cursorPage.js"
import type { GroupHandlers } from "../server/Call.js"
import type { Administrator } from "./adminAdmission.js"
import type { ContactsGroup } from "./ContactsGroup.js"

/** Implements the group `contacts` of the contract. */
export const contactsHandlers: Effect.Effect<
  GroupHandlers<typeof ContactsGroup, Administrator>,
  never,
  AdminContacts | AdminContactHistory | ContactImports
> = Effect.gen(function* () {
  const contacts = yield* AdminContacts
  const history = yield* AdminContactHistory
  const imports = yield* ContactImports
  return {
    create: ({ body }) => Effect.map(contacts.create(body), (row) => ({ data: contactResource(row) })),
    import: ({ body }) => Effect.map(imports.run(body), (data) => ({ data })),
    list: ({ query, url }) => Effect.map(contacts.list(query), (page) => pageOf(url, page, contactResource)),
    search: ({ query, url }) => Effect.map(contacts.search(query), (page) => pageOf(url, page, contactResource)),
    get: ({ path }) => Effect.map(contacts.get(path.id), (row) => ({ data: contactResource(row) })),
    history: ({ path, query, url }) =>
      Effect.map(history.list(path.id, query), (page) => pageOf(url, page, (entry) => entry)),
    update: ({ path, body }) => Effect.map(contacts.update(path.id, body), (row) => ({ data: contactResource(row) })),
    merge: ({ path, body }) => Effect.map(contacts.merge(path.id, body), (row) => ({ data: contactResource(row) })),
    erase: ({ path }) => Effect.map(contacts.erase(path.id), (row) => ({ data: contactResource(row) }))
  }
})
