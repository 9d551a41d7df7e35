import type { NewEvent } from "../events/Outbox.js"
import type { Parts } from "../ports/Changes.js"
import type { Contact } from "./Contact.js"

/** A contact as a commit leaves it, and what makes it so. */
export interface ChangedContact {
  /** With the version that it was loaded with: further parts of the same commit expect that one. */
  readonly contact: Contact
  readonly parts: Parts
  /** None where it was so already; the whole workspace hears of them. */
  readonly events: ReadonlyArray<NewEvent>
}

/** A contact that is as it should be already. */
export const unchangedContact = (contact: Contact): ChangedContact => ({ contact, parts: {}, events: [] })
