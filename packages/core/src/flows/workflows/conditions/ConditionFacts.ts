import type { Channels } from "../../../model/Channel.js"
import type { Contact } from "../../../model/Contact.js"
import type { Conversation } from "../../../model/Conversation.js"
import type { Instant } from "../../../model/Instant.js"
import type { Lead } from "../../../model/Lead.js"
import type { Step } from "../../../model/Run.js"
import type { PlaceholderValues } from "../../../resources/contacts/placeholders.js"

/** The values that conditions test. */
export interface ConditionFacts {
  readonly contact: Contact
  /** The channels of the host. */
  readonly channels: Channels
  /** The contact's newest conversation. */
  readonly conversation: Conversation | undefined
  /** The contact's leads, newest first. */
  readonly leads: ReadonlyArray<Lead>
  /** Text of the last message of the conversation that the customer wrote, as they edited it last; null: none. */
  readonly lastInboundText: string | null
  readonly values: PlaceholderValues
  /** The finished actions of the run, in order. */
  readonly steps: ReadonlyArray<Step>
  /** Time zone of the workspace, an IANA name. */
  readonly timezone: string
  readonly now: Instant
}

/** Which of the {@link ConditionFacts} must be loaded in addition to those of every run. */
export interface ConditionNeeds {
  readonly conversation: boolean
  readonly leads: boolean
  readonly lastInboundText: boolean
}
