import type { Answer, NumberedPage } from "../Answer.js"
import type { CreateOptions, RequestOptions } from "../ClientOptions.js"
import type { Contact, ContactInput, ContactQuery, ListedContact } from "../Contract.js"
import type { Call } from "../transport/Call.js"
import { eachRow, segment } from "./lists.js"

/** Customers of the workspace (docs/reference/contacts.md#contact-fields). */
export interface Contacts {
  /** `POST /contacts`. If a handle belongs to another contact: `validation_failed` with `details.contact_id`. */
  readonly create: (input: ContactInput, options?: CreateOptions) => Promise<Answer<Contact>>
  /** `GET /contacts/{contact}`. */
  readonly get: (id: string, options?: RequestOptions) => Promise<Answer<Contact>>
  /** One page of `GET /contacts`, by name. */
  readonly list: (query?: ContactQuery, options?: RequestOptions) => Promise<NumberedPage<ListedContact>>
  /** Every matching contact, by name. Page size: 100 unless `per_page` is given. */
  readonly listAll: (query?: ContactQuery, options?: RequestOptions) => AsyncGenerator<ListedContact, void, undefined>
}

export const contacts = (call: Call): Contacts => ({
  create: (input, options = {}) => call.post("/contacts", input, options),
  get: async (id, options = {}) => call.get(`/contacts/${segment(id)}`, {}, options),
  list: (query = {}, options = {}) => call.get("/contacts", query, options),
  listAll: (query = {}, options = {}) => eachRow(call, "/contacts", { per_page: 100, ...query }, options)
})
