import type { Contact } from "../../model/Contact.js"
import type { NewEvent } from "../events/Outbox.js"
import { encodeContact } from "./ContactResource.js"

/** An event about a contact in its state as of now. All applications of the workspace may receive it. */
export const contactEvent = (type: "contact.created" | "contact.updated", contact: Contact): NewEvent => ({
  workspaceId: contact.workspaceId,
  type,
  applicationId: null,
  connectionId: null,
  subjectId: contact.id,
  data: { contact: encodeContact(contact) }
})
