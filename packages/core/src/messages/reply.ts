import { Either } from "effect"
import type { Answer, Idempotency } from "../access/Answer.js"
import type { IdempotencyRecord } from "../access/IdempotencyRecord.js"
import { administrators, recall, remember } from "../access/recall.js"
import type { Workspace } from "../access/Workspace.js"
import type { Agent } from "../agents/Agent.js"
import type { BotSession } from "../bots/BotSession.js"
import { stopBot } from "../bots/stopBot.js"
import type { Capabilities } from "../channels/Channel.js"
import type { Connection } from "../channels/Connection.js"
import type { Contact } from "../contacts/Contact.js"
import type { Conversation } from "../conversations/Conversation.js"
import { openConversation } from "../conversations/openConversation.js"
import type { Decision } from "../Decider.js"
import { type Problems, type Refusal, refuse } from "../errors/Refusal.js"
import type { Subscribers } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import { complete } from "../input/complete.js"
import type { Draft } from "../input/Draft.js"
import { changes, expect } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { Template } from "../templates/Template.js"
import type { InitialLease, Job } from "../worker/Job.js"
import { encodeAdminMessage } from "./MessageResource.js"
import { optOutProblems } from "./optOutProblems.js"
import { permitContent } from "./permitContent.js"
import { queueMessage } from "./queueMessage.js"
import type { ReplyInput } from "./ReplyInput.js"
import { type Content, type ReadContent, readTemplate, readText } from "./readContent.js"

/** All that an agent's reply may look at. */
export interface ReplyWorld {
  readonly workspace: Workspace
  readonly conversation: Conversation
  /** Of the handle's address, else of the conversation: the conversation follows its handle. */
  readonly contact: Contact | undefined
  readonly connection: Connection
  /** Undefined where this host does not have the connection's provider. */
  readonly capabilities: Capabilities | undefined
  readonly textProblem: (text: string) => string | null
  /** Those of the name given on the channel. */
  readonly templates: ReadonlyArray<Template>
  /** The one that the body names, in whatever workspace. */
  readonly agent: Agent | undefined
  readonly record: IdempotencyRecord | undefined
  /** The dialogue of the bot that is active in the conversation. */
  readonly session: BotSession | undefined
  readonly subscribers: Subscribers
}

/** One agent's reply; without an idempotency key, each call is another one. */
export interface Reply {
  readonly draft: Draft<ReplyInput>
  readonly idempotency: Idempotency | null
}

/** What a reply came to; the job that brings it to the provider, null for a replay. */
export interface Replied {
  readonly answer: Answer
  readonly job: Job | null
}

/**
 * The rules of `POST /conversations/{id}/messages` (decisions.md §14): those of a send, with the conversation's handle and
 * connection. The message is no application's, so that each one with the connection on its allow-list is told of it (§9). It stops
 * the bot that is active there: a person has taken over.
 */
export const reply = (
  world: ReplyWorld,
  { draft, idempotency }: Reply,
  lease: InitialLease | null,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Replied>, Refusal> =>
  Either.gen(function* () {
    const { capabilities, connection, contact, conversation, record, session, subscribers, workspace } = world
    const recalled = idempotency === null ? null : yield* recall(record, idempotency, now)
    if (recalled !== null) return { changes: null, result: { answer: recalled.answer, job: null } }
    yield* takesChanges(workspace)
    const read = readReply(world, draft.value)
    const { agentId } = yield* complete(
      draft,
      read.problems,
      agentProblems(draft.value.agentId, world),
      // A reply has no field for whom it is to.
      optOutProblems("contact_id", contact, read.content)
    )
    const content = read.content as Content
    const { serviceWindowHours } = yield* permitContent(connection, capabilities, conversation, content, now)
    const { handle } = conversation
    const opened = openConversation(
      { contact, conversation },
      { connection, handle, direction: "outbound", displayName: null, serviceWindowHours },
      now,
      ids
    )
    const sender = { applicationId: null, agentId, externalReference: null }
    const { job, message, parts } = queueMessage({ sender, handle, content, opened, subscribers }, lease, now, ids)
    const answer = { status: 202, body: JSON.stringify({ data: encodeAdminMessage(message) }) }
    return {
      changes: changes(
        workspace.id,
        idempotency === null ? {} : remember(record, administrators(workspace.id), idempotency, answer, now),
        agentId === null ? {} : { expects: [expect("agents", { id: agentId }, { status: "active" })] },
        ...parts,
        ...stopBot(session, opened.conversation, serviceWindowHours, subscribers, now, ids)
      ),
      result: { answer: { ...answer, replayed: false }, job }
    }
  })

/** A suspended workspace takes no changes, and one that is unavailable nothing at all (spec, Errors). */
const takesChanges = ({ status }: Workspace): Either.Either<null, Refusal> =>
  status === "active"
    ? Either.right(null)
    : Either.left(refuse(status === "suspended" ? "workspace_suspended" : "workspace_unavailable"))

const readReply = (
  { capabilities, connection, templates, textProblem, workspace }: ReplyWorld,
  input: Draft<ReplyInput>["value"]
): ReadContent => {
  const { defaultLanguage } = workspace
  const against = { channel: connection.channel, capabilities, textProblem, templates, defaultLanguage }
  if (input.template === null) return readText(against, input)
  const read = readTemplate(against, input)
  return input.body == null ? read : { ...read, problems: { ...read.problems, ...both } }
}

const both: Problems = { body: ["must be left out where a template is named"] }

const agentProblems = (id: string | null | undefined, { agent, workspace }: ReplyWorld): Problems =>
  id == null || (agent?.workspaceId === workspace.id && agent.status === "active")
    ? {}
    : { agent_id: ["must be the id of an active agent of this workspace"] }
