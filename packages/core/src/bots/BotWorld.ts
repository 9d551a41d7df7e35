import type { Assignees } from "../agents/assignees.js"
import type { Capabilities } from "../channels/Channel.js"
import type { Connection } from "../channels/Connection.js"
import type { Contact } from "../contacts/Contact.js"
import type { Conversation } from "../conversations/Conversation.js"
import type { Subscribers } from "../events/Outbox.js"
import { fillIn } from "../workflows/placeholders.js"
import type { Run } from "../workflows/runs/Run.js"
import type { Fill } from "./dialogue.js"

/** All that a bot may look at when it has its turn in a conversation. */
export interface BotWorld {
  readonly conversation: Conversation
  /** Of the handle's address, else of the conversation: the conversation follows its handle. */
  readonly contact: Contact
  readonly connection: Connection
  /** Undefined where this host does not have the connection's provider. */
  readonly capabilities: Capabilities | undefined
  readonly textProblem: (text: string) => string | null
  /** Those whom the script hands off to, as far as they are there, in whatever workspace. */
  readonly assignees: Assignees
  /** The run that started the bot. */
  readonly run: Run | undefined
  readonly subscribers: Subscribers
}

/** Fills in what the placeholders of a script stand for. */
export const fillOf =
  ({ contact, run }: Pick<BotWorld, "contact" | "run">): Fill =>
  (text, answers) =>
    fillIn(text, {
      contact,
      answers,
      ...(run === undefined ? {} : { event: run.eventName, data: run.data, applicationId: run.applicationId })
    })

/** Of the conversation's channel, in hours; null: free text at any time. */
export const serviceWindowOf = ({ capabilities }: Pick<BotWorld, "capabilities">): number | null =>
  capabilities?.serviceWindowHours ?? null
