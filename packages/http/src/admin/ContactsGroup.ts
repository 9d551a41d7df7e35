import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import {
  AdminContactInput,
  AdminContactListQuery,
  AdminContactResource,
  ContactHistoryQuery,
  ContactPatch,
  ContactSearchQuery,
  HistoryEntryResource,
  ImportInput,
  ImportReport,
  MergeInput
} from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { pathId } from "../contract/pathId.js"
import { Raises } from "../contract/Raises.js"
import { single } from "../contract/single.js"

const id = pathId("id", "contact")

/** Customers of every workspace (docs/reference/administration.md#contact-administration). */
export const ContactsGroup = HttpApiGroup.make("contacts")
  .add(
    HttpApiEndpoint.post("create")`/contacts`
      .setPayload(AdminContactInput)
      .addSuccess(single(AdminContactResource), { status: 201 })
      .annotate(OpenApi.Summary, "Create a contact")
      .annotate(
        OpenApi.Description,
        "If a handle already belongs to a contact, `details.contact_id` of the 422 is that contact's id."
      )
  )
  .add(
    HttpApiEndpoint.post("import")`/contacts/import`
      .setPayload(ImportInput)
      .addSuccess(single(ImportReport))
      .annotate(OpenApi.Summary, "Import up to 500 contacts")
      .annotate(
        OpenApi.Description,
        "Contacts are processed independently: a rejected contact does not affect the others, and the response holds one result for each. The call can be repeated safely: contacts that exist already are recognised by their handles."
      )
  )
  .add(
    HttpApiEndpoint.get("list")`/contacts`
      .setUrlParams(AdminContactListQuery)
      .addSuccess(cursorPage(AdminContactResource))
      .annotate(OpenApi.Summary, "List contacts, newest first, or find the one that has a handle")
      .annotate(OpenApi.Description, "`handle` requires `workspace_id`. Without `channel`, all channels are searched.")
  )
  .add(
    HttpApiEndpoint.get("search")`/contacts/search`
      .setUrlParams(ContactSearchQuery)
      .addSuccess(cursorPage(AdminContactResource))
      .annotate(OpenApi.Summary, "Search the contacts of a workspace, in order of name")
      .annotate(OpenApi.Description, "The filters are those of `GET /contacts` of the interface.")
  )
  .add(
    HttpApiEndpoint.get("get")`/contacts/${id}`
      .addSuccess(single(AdminContactResource))
      .annotate(OpenApi.Summary, "Read one contact")
  )
  .add(
    HttpApiEndpoint.get("history")`/contacts/${id}/history`
      .setUrlParams(ContactHistoryQuery)
      .addSuccess(cursorPage(HistoryEntryResource))
      .annotate(OpenApi.Summary, "List what happened with a contact, newest first")
      .annotate(
        OpenApi.Description,
        "Messages, conversations, changes of the contact, opt-outs, merges, leads, tasks, business events, workflow runs and bot sessions. Changes are known as long as events are kept."
      )
  )
  .add(
    HttpApiEndpoint.patch("update")`/contacts/${id}`
      .setPayload(ContactPatch)
      .addSuccess(single(AdminContactResource))
      .annotate(Raises, ["identity_already_claimed", "invalid_transition"])
      .annotate(OpenApi.Summary, "Change a contact")
      .annotate(
        OpenApi.Description,
        "If a handle belongs to another contact, `details.contact_id` of the 409 is that contact's id: merge the two."
      )
  )
  .add(
    HttpApiEndpoint.post("merge")`/contacts/${id}/merge`
      .setPayload(MergeInput)
      .addSuccess(single(AdminContactResource))
      .annotate(OpenApi.Summary, "Merge another contact into this one")
      .annotate(
        OpenApi.Description,
        "Empty fields of this contact are filled from the other. Handles, conversations, leads and tasks are reassigned at once; messages and events follow within moments. The other contact is deleted."
      )
  )
  .add(
    HttpApiEndpoint.del("erase")`/contacts/${id}`
      .addSuccess(single(AdminContactResource))
      .annotate(OpenApi.Summary, "Erase a contact and all its data")
      .annotate(
        OpenApi.Description,
        "The contact is deleted at once; its messages, leads, tasks, events and webhook deliveries are deleted in the background. The response holds the deleted contact."
      )
  )
  .annotate(OpenApi.Title, "Contacts")
  .annotate(OpenApi.Description, "Customers. A handle belongs to at most one contact of a workspace.")
