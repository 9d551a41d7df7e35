import type { Capabilities, ChannelDefinition } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import type { Contact } from "../../model/Contact.js"
import type { Conversation } from "../../model/Conversation.js"
import type { Run } from "../../model/Run.js"
import type { Assignees } from "../../resources/agents/assignees.js"
import { fillIn } from "../../resources/contacts/placeholders.js"
import type { Subscribers } from "../../resources/events/Outbox.js"
import type { Fill } from "./dialogue.js"

/** What the rules of a bot's turn read. */
export interface BotWorld {
  readonly conversation: Conversation
  /** The contact of the handle's address, else of the conversation. */
  readonly contact: Contact
  readonly connection: Connection
  readonly channel: ChannelDefinition
  /** Undefined if this host lacks the connection's provider. */
  readonly capabilities: Capabilities | undefined
  readonly textProblem: (text: string) => string | null
  /** The existing agents and teams that the script hands off to, of any workspace. */
  readonly assignees: Assignees
  /** The workflow run that started the bot. */
  readonly run: Run | undefined
  readonly subscribers: Subscribers
}

/** Replaces the placeholders of a script's texts. */
export const fillOf =
  ({ contact, run }: Pick<BotWorld, "contact" | "run">): Fill =>
  (text, answers) =>
    fillIn(text, {
      contact,
      answers,
      ...(run === undefined ? {} : { event: run.eventName, data: run.data, applicationId: run.applicationId })
    })

/** Service window of the conversation's channel, in hours; null: none. */
export const serviceWindowOf = ({ capabilities }: Pick<BotWorld, "capabilities">): number | null =>
  capabilities?.serviceWindowHours ?? null
