import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { ContactInput, ContactResource, uuid } from "@parley/core"
import { ErrorEnvelope } from "./ErrorEnvelope.js"
import { IdempotencyKey } from "./IdempotencyKey.js"
import { RequiredScopes } from "./RequiredScopes.js"
import { single } from "./single.js"

/** Customers of the workspace (spec, Contact). */
export const ContactsGroup = HttpApiGroup.make("contacts")
  .add(
    HttpApiEndpoint.post("create")`/contacts`
      .setHeaders(IdempotencyKey)
      .setPayload(ContactInput)
      .addSuccess(single(ContactResource), { status: 201 })
      .addError(ErrorEnvelope, { status: 409 })
      .annotate(RequiredScopes, ["contacts.write"])
      .annotate(OpenApi.Summary, "Create a contact")
  )
  .add(
    HttpApiEndpoint.get("get")`/contacts/${HttpApiSchema.param("contact", uuid)}`
      .addSuccess(single(ContactResource))
      .annotate(RequiredScopes, ["contacts.read"])
      .annotate(OpenApi.Summary, "Read one contact")
  )
  .annotate(OpenApi.Title, "Contacts")
