import type { Contact } from "../../contacts/Contact.js"
import type { Conversation } from "../../conversations/Conversation.js"
import type { Instant } from "../../Instant.js"
import type { Lead } from "../../leads/Lead.js"
import type { PlaceholderValues } from "../placeholders.js"
import type { Step } from "../runs/Run.js"

/** All that conditions may look at. */
export interface Facts {
  readonly contact: Contact
  /** The contact's newest. */
  readonly conversation: Conversation | undefined
  /** The contact's, newest first. */
  readonly leads: ReadonlyArray<Lead>
  /** What the customer wrote last; null where they never wrote. */
  readonly lastWords: string | null
  readonly values: PlaceholderValues
  /** What became of the actions before, in their order. */
  readonly steps: ReadonlyArray<Step>
  /** The workspace's, an IANA name. */
  readonly timezone: string
  readonly now: Instant
}

/** Which {@link Facts} have to be read, beside what every run has at hand. */
export interface Needs {
  readonly conversation: boolean
  readonly leads: boolean
  readonly lastWords: boolean
}
