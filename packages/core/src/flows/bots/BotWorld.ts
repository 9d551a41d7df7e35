import { exactDataOf } from "../../kernel/input/exactNumbers.js"
import type { BotSession } from "../../model/BotSession.js"
import type { Capabilities, ChannelDefinition } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import type { Contact } from "../../model/Contact.js"
import type { Conversation } from "../../model/Conversation.js"
import type { Run } from "../../model/Run.js"
import type { Assignees } from "../../resources/agents/assignees.js"
import { fillIn, type PlaceholderValues } from "../../resources/contacts/placeholders.js"
import type { Subscribers } from "../../resources/events/Outbox.js"
import { fillContent, fillFiles } from "../../resources/messages/fillDefined.js"
import type { UrlProblem } from "../../resources/messages/readContent.js"
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
  /** Default: no file may be fetched. */
  readonly urlProblem?: UrlProblem | undefined
  /** The existing agents and teams that the script hands off to, of any workspace. */
  readonly assignees: Assignees
  /** The workflow run that started the bot. */
  readonly run: Run | undefined
  readonly subscribers: Subscribers
}

/** Replaces the placeholders of a script. */
export const fillOf = ({ contact, run }: Pick<BotWorld, "contact" | "run">): Fill => {
  const values = (answers: BotSession["answers"]): PlaceholderValues => ({
    contact,
    answers,
    ...(run === undefined ? {} : { event: run.eventName, data: exactDataOf(run), applicationId: run.applicationId })
  })
  return {
    text: (text, answers) => fillIn(text, values(answers)),
    content: (content, answers) => fillContent(content, values(answers)),
    files: (files, answers) => fillFiles(files, values(answers))
  }
}

/** Service window of the conversation's channel, in hours; null: none. */
export const serviceWindowOf = ({ capabilities }: Pick<BotWorld, "capabilities">): number | null =>
  capabilities?.serviceWindowHours ?? null
