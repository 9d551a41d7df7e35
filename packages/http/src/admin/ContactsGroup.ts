import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import {
  AdminContactInput,
  AdminContactListQuery,
  AdminContactResource,
  ContactPatch,
  ImportInput,
  ImportReport,
  MergeInput,
  uuid
} from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { OptionalIdempotencyKey } from "../contract/IdempotencyKey.js"
import { Raises } from "../contract/Raises.js"
import { single } from "../contract/single.js"

const id = HttpApiSchema.param("id", uuid)

/** Customers of every workspace (decisions.md §6). */
export const ContactsGroup = HttpApiGroup.make("contacts")
  .add(
    HttpApiEndpoint.post("create")`/contacts`
      .setHeaders(OptionalIdempotencyKey)
      .setPayload(AdminContactInput)
      .addSuccess(single(AdminContactResource), { status: 201 })
      .annotate(OpenApi.Summary, "Create a contact")
      .annotate(
        OpenApi.Description,
        "Where a handle belongs to a contact already, `details.contact_id` of the 422 names it."
      )
  )
  .add(
    HttpApiEndpoint.post("import")`/contacts/import`
      .setPayload(ImportInput)
      .addSuccess(single(ImportReport))
      .annotate(OpenApi.Summary, "Import up to 500 contacts")
      .annotate(
        OpenApi.Description,
        "Each contact by itself: one that is refused holds up no other, and the answer says what came of each. The same call again does no harm, because its contacts are known then."
      )
  )
  .add(
    HttpApiEndpoint.get("list")`/contacts`
      .setUrlParams(AdminContactListQuery)
      .addSuccess(cursorPage(AdminContactResource))
      .annotate(OpenApi.Summary, "List contacts, newest first, or find the one that has a handle")
      .annotate(OpenApi.Description, "`handle` needs `workspace_id`; without `channel` it is looked for on every one.")
  )
  .add(
    HttpApiEndpoint.get("get")`/contacts/${id}`
      .addSuccess(single(AdminContactResource))
      .annotate(OpenApi.Summary, "Read one contact")
  )
  .add(
    HttpApiEndpoint.patch("update")`/contacts/${id}`
      .setPayload(ContactPatch)
      .addSuccess(single(AdminContactResource))
      .annotate(Raises, ["identity_already_claimed"])
      .annotate(OpenApi.Summary, "Change a contact")
      .annotate(
        OpenApi.Description,
        "Where a handle belongs to another contact, `details.contact_id` of the 409 names it: merge the two."
      )
  )
  .add(
    HttpApiEndpoint.post("merge")`/contacts/${id}/merge`
      .setPayload(MergeInput)
      .addSuccess(single(AdminContactResource))
      .annotate(OpenApi.Summary, "Fold another contact into this one")
      .annotate(
        OpenApi.Description,
        "What this one lacks comes from the other; handles, conversations, leads and tasks become its own at once, and what was said and happened within moments. The other contact is gone."
      )
  )
  .add(
    HttpApiEndpoint.del("erase")`/contacts/${id}`
      .addSuccess(single(AdminContactResource))
      .annotate(OpenApi.Summary, "Erase a contact with all that is kept of it")
      .annotate(
        OpenApi.Description,
        "The contact is gone at once; its messages, leads, tasks, events and what was delivered of them are deleted in the background. Answers the contact as it was, for the last time."
      )
  )
  .annotate(OpenApi.Title, "Contacts")
  .annotate(OpenApi.Description, "Customers. A handle belongs to at most one contact of a workspace.")
