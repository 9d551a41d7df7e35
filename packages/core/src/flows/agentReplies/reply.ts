import { Either } from "effect"
import type { Problems, Refusal } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { Agent } from "../../model/Agent.js"
import type { Capabilities, ChannelDefinition } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import type { Contact } from "../../model/Contact.js"
import type { Conversation } from "../../model/Conversation.js"
import type { Instant } from "../../model/Instant.js"
import type { Message } from "../../model/Message.js"
import type { Template } from "../../model/Template.js"
import type { Upload } from "../../model/Upload.js"
import type { Workspace } from "../../model/Workspace.js"
import { changes, expect } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { takesChanges } from "../../resources/access/takesChanges.js"
import { openConversation } from "../../resources/conversations/openConversation.js"
import type { Subscribers } from "../../resources/events/Outbox.js"
import { optOutProblems } from "../../resources/messages/optOutProblems.js"
import { permitContent } from "../../resources/messages/permitContent.js"
import { queueMessages } from "../../resources/messages/queueMessages.js"
import {
  type Content,
  type ReadContent,
  readContent,
  typeProblems,
  type UrlProblem
} from "../../resources/messages/readContent.js"
import { readQuote } from "../../resources/messages/readQuote.js"
import { type BotOfConversation, stopBot } from "../bots/stopBot.js"
import type { ReplyInput } from "./ReplyInput.js"

/** What the rules of an agent's reply read. */
export interface ReplyWorld extends BotOfConversation {
  readonly workspace: Workspace
  readonly conversation: Conversation
  /** The contact of the handle's address, else of the conversation. */
  readonly contact: Contact | undefined
  readonly connection: Connection
  readonly channel: ChannelDefinition
  /** Undefined if this host lacks the connection's provider. */
  readonly capabilities: Capabilities | undefined
  readonly textProblem: (text: string) => string | null
  readonly reactionProblem: (providerMessageId: string) => string | null
  /** Default: no file may be fetched. */
  readonly urlProblem?: UrlProblem | undefined
  /** The uploads in `attachments` that the workspace's administrators may send. Default: none. */
  readonly uploads?: ReadonlyArray<Upload> | undefined
  /** Templates with the given name that the connection sends. */
  readonly templates: ReadonlyArray<Template>
  /** The message with the id in `quoted`, of any workspace. */
  readonly quoted: Message | undefined
  /** The agent that the body names, of any workspace. */
  readonly agent: Agent | undefined
  readonly subscribers: Subscribers
}

/**
 * The rules of `POST /conversations/{id}/messages` (docs/reference/conversations.md#agents-replies): those of a send,
 * with the conversation's handle and connection. The message belongs to no application, so every application with the
 * connection on its allow-list receives its events (docs/reference/authentication.md#visibility-of-messages). Stops the
 * active bot, because a person has taken over.
 */
export const reply = (
  world: ReplyWorld,
  decoded: PartialDecode<ReplyInput>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Message>, Refusal> =>
  Either.gen(function* () {
    const { capabilities, channel, connection, contact, conversation, subscribers, workspace } = world
    yield* takesChanges(workspace)
    const read = readReply(world, decoded.value)
    const quote = readQuote(
      {
        capabilities,
        quoted: world.quoted,
        conversationId: conversation.id,
        applicationId: null,
        reactionProblem: world.reactionProblem
      },
      decoded.value
    )
    const { agentId } = yield* complete(
      decoded,
      read.problems,
      quote.problems,
      agentProblems(decoded.value.agentId, world),
      // A reply has no `to` field.
      optOutProblems("contact_id", contact, read.content)
    )
    const content = read.content as Content
    const { serviceWindowHours } = yield* permitContent(connection, capabilities, conversation, content, now)
    const { handle } = conversation
    const opened = openConversation(
      { contact, conversation },
      {
        connection,
        identity: channel.identity,
        handle,
        direction: "outbound",
        displayName: null,
        serviceWindowHours
      },
      now,
      ids
    )
    const sender = { applicationId: null, agentId, externalReference: null }
    const queued = queueMessages(
      { sender, handle, contents: [content], files: capabilities?.files, quoted: quote.message, opened, subscribers },
      now,
      ids
    )
    return {
      changes: changes(
        workspace.id,
        agentId === null ? {} : { expects: [expect("agents", { id: agentId }, { status: "active" })] },
        ...queued.flatMap(({ parts }) => parts),
        ...stopBot({ ...world, serviceWindowHours }, opened.conversation, now, ids)
      ),
      result: queued[0].message
    }
  })

const readReply = (
  { capabilities, channel, templates, textProblem, uploads, urlProblem, workspace }: ReplyWorld,
  input: PartialDecode<ReplyInput>["value"]
): ReadContent => {
  const { defaultLanguage } = workspace
  const against = { channel, capabilities, textProblem, urlProblem, uploads, templates, defaultLanguage }
  if (input.template === undefined || input.type === undefined) return { content: null, problems: {} }
  const type = input.type ?? (input.template === null ? "text" : "template")
  const { content, problems } = readContent(against, type, input)
  const mixed = input.body == null || input.template === null ? {} : both
  return { content, problems: { ...typeProblems(type, capabilities), ...problems, ...mixed } }
}

const both: Problems = { body: ["must be left out where a template is named"] }

const agentProblems = (id: string | null | undefined, { agent, workspace }: ReplyWorld): Problems =>
  id == null || (agent?.workspaceId === workspace.id && agent.status === "active")
    ? {}
    : { agent_id: ["must be the id of an active agent of this workspace"] }
