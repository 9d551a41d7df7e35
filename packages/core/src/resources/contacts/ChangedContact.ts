import type { Contact } from "../../model/Contact.js"
import type { Parts } from "../../ports/Changes.js"
import type { NewEvent } from "../events/Outbox.js"

/** A contact after a change, and the parts of the commit that changes it. */
export interface ChangedContact {
  /** Has the version that was loaded: further parts of the same commit expect that version. */
  readonly contact: Contact
  readonly parts: Parts
  /** Empty if nothing changed that applications see. All applications of the workspace may receive these events. */
  readonly events: ReadonlyArray<NewEvent>
}

/** A contact that needs no change. */
export const unchangedContact = (contact: Contact): ChangedContact => ({ contact, parts: {}, events: [] })
