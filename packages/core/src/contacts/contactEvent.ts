import type { NewEvent } from "../events/Outbox.js"
import type { Contact } from "./Contact.js"
import { encodeContact } from "./ContactResource.js"

/** An event about a contact as it is now; heard in the whole workspace. */
export const contactEvent = (type: "contact.created" | "contact.updated", contact: Contact): NewEvent => ({
  workspaceId: contact.workspaceId,
  type,
  applicationId: null,
  connectionId: null,
  subjectId: contact.id,
  data: { contact: encodeContact(contact) }
})
