import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ContactInput, ContactListQuery, ContactResource, ListedContactResource } from "@parley/core"
import { IdempotencyKey } from "./IdempotencyKey.js"
import { pagedList } from "./pagedList.js"
import { pathId } from "./pathId.js"
import { Raises, refusedWrites } from "./Raises.js"
import { RequiredScopes } from "./RequiredScopes.js"
import { single } from "./single.js"

/** Customers of the workspace (docs/reference/contacts.md#contact-fields). */
export const ContactsGroup = HttpApiGroup.make("contacts")
  .add(
    HttpApiEndpoint.post("create")`/contacts`
      .setHeaders(IdempotencyKey)
      .setPayload(ContactInput)
      .addSuccess(single(ContactResource), { status: 201 })
      .annotate(RequiredScopes, ["contacts.write"])
      .annotate(Raises, refusedWrites)
      .annotate(OpenApi.Summary, "Create a contact")
      .annotate(
        OpenApi.Description,
        "Where a handle belongs to a contact already, `details.contact_id` of the 422 names it."
      )
  )
  .add(
    HttpApiEndpoint.get("list")`/contacts`
      .setUrlParams(ContactListQuery)
      .addSuccess(pagedList(ListedContactResource))
      .annotate(RequiredScopes, ["contacts.read"])
      .annotate(OpenApi.Summary, "List contacts by name")
      .annotate(OpenApi.Description, "By pages; `meta.total` is exact.")
  )
  .add(
    HttpApiEndpoint.get("get")`/contacts/${pathId("contact", "contact")}`
      .addSuccess(single(ContactResource))
      .annotate(RequiredScopes, ["contacts.read"])
      .annotate(OpenApi.Summary, "Read one contact")
  )
  .annotate(OpenApi.Title, "Contacts")
  .annotate(OpenApi.Description, "The customers of the workspace. A handle belongs to at most one of them.")
