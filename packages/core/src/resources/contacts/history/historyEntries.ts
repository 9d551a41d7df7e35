import { Option, Schema } from "effect"
import type { BotSession } from "../../../model/BotSession.js"
import type { BusinessEvent } from "../../../model/BusinessEvent.js"
import type { Contact } from "../../../model/Contact.js"
import type { Conversation } from "../../../model/Conversation.js"
import type { Event } from "../../../model/Event.js"
import { type Instant, timestamp } from "../../../model/Instant.js"
import type { Lead } from "../../../model/Lead.js"
import { type Message, originOf } from "../../../model/Message.js"
import type { Run } from "../../../model/Run.js"
import type { Task } from "../../../model/Task.js"
import type { HistoryEntry } from "./HistoryEntry.js"

// The entries of a history from the rows of each table. Texts of customers are shortened.

const maxText = 80

const quoted = (text: string): string => {
  const characters = [...text.slice(0, 4 * maxText)]
  return characters.length <= maxText ? `"${text}"` : `"${characters.slice(0, maxText).join("")}…"`
}

const basis = { channel: null, status: null }

/** The time of an id, in ms: ids are UUIDv7. */
export const idTime = (id: string): Instant => Number.parseInt(id.slice(0, 13).replace("-", ""), 16)

export const contactEntry = ({ id }: Contact): HistoryEntry => ({
  ...basis,
  id,
  // `createdAt` may be that of a contact that was merged into this one.
  at: idTime(id),
  type: "contact_created",
  subjectType: "contact",
  subjectId: id,
  explanation: "Created"
})

/** The creation of a contact that was merged into this one later. */
export const mergedContactEntry = ({ createdAt, id }: Event, contactId: string): HistoryEntry => ({
  ...basis,
  id,
  at: createdAt,
  type: "contact_created",
  subjectType: "contact",
  subjectId: contactId,
  explanation: "Created as a contact of its own, which was merged into this one later"
})

/** The columns of {@link messageEntry}. */
export const messageColumns = [
  "id",
  "conversationId",
  "direction",
  "type",
  "status",
  "body",
  "subject",
  "templateName",
  "applicationId",
  "agentId",
  "workflowRunId",
  "botSessionId",
  "error",
  "createdAt",
  "receivedAt",
  "sentAt",
  "deliveredAt",
  "readAt"
] as const
type HistoryMessage = Pick<Message, (typeof messageColumns)[number]>

/** Who wrote an outbound message. A bot that a workflow started is named too. */
const authorOf = (message: HistoryMessage): string => {
  const { agentId, applicationId, botSessionId, workflowRunId } = message
  switch (originOf(message)) {
    case "external":
      return "written outside Parley"
    case "workflow":
      return `by a workflow run (${workflowRunId})${botSessionId === null ? "" : ` and its bot (${botSessionId})`}`
    case "bot":
      return `by a bot (${botSessionId})`
    case "application":
      return `by application ${applicationId}`
    default:
      return agentId === null ? "by an agent" : `by agent ${agentId}`
  }
}

/** What a message without a text is, such as files without a caption or a deleted message. */
const withoutText = (type: Message["type"]): string => (type === "media" ? "files without a text" : `no text (${type})`)

export const messageEntry = (message: HistoryMessage, { channel, handle }: Conversation): HistoryEntry => {
  const { body, createdAt, deliveredAt, direction, error, id, readAt, sentAt, status, subject, templateName, type } =
    message
  const isInbound = direction === "inbound"
  const text = body === "" ? (subject ?? "") : body
  const times = [
    ["sent", sentAt],
    ["delivered", deliveredAt],
    ["read", readAt]
  ] as const
  const facts = [
    `${isInbound ? "From" : "To"} ${handle}`,
    ...(isInbound ? [] : [authorOf(message)]),
    ...(templateName === null ? [] : [`template ${templateName}`]),
    ...(isInbound ? [] : times.flatMap(([state, at]) => (at === null ? [] : [`${state} ${timestamp(at)}`]))),
    ...(error === null ? [] : [`failed: ${error.message}`])
  ]
  return {
    id,
    at: createdAt,
    type: isInbound ? "message_received" : "message_sent",
    subjectType: "message",
    subjectId: id,
    channel,
    status: isInbound ? null : status,
    explanation: `${facts.join(", ")}: ${text === "" ? withoutText(type) : quoted(text)}`
  }
}

export const conversationEntry = ({ channel, createdAt, handle, id, status }: Conversation): HistoryEntry => ({
  id,
  at: createdAt,
  type: "conversation_opened",
  subjectType: "conversation",
  subjectId: id,
  channel,
  status,
  explanation: `With ${handle}`
})

const ConversationData = Schema.parseJson(
  Schema.Struct({
    conversation: Schema.Struct({
      status: Schema.String,
      assigned_user_id: Schema.NullOr(Schema.String),
      assigned_team_id: Schema.NullOr(Schema.String)
    }),
    previous_status: Schema.optional(Schema.String)
  })
)
const LeadData = Schema.parseJson(Schema.Struct({ from_stage: Schema.String, to_stage: Schema.String }))

/** The events of a conversation that are entries. */
export const conversationEvents = ["conversation.assigned", "conversation.status_changed"] as const

export const conversationEventEntry = (
  { createdAt, data, id, type }: Event,
  conversation: Conversation
): HistoryEntry => {
  const read = Option.getOrNull(Schema.decodeUnknownOption(ConversationData)(data))
  const assignees = [
    ...(read?.conversation.assigned_user_id ? [`agent ${read.conversation.assigned_user_id}`] : []),
    ...(read?.conversation.assigned_team_id ? [`team ${read.conversation.assigned_team_id}`] : [])
  ]
  const isAssignment = type === "conversation.assigned"
  return {
    id,
    at: createdAt,
    type: isAssignment ? "conversation_assigned" : "conversation_status_changed",
    subjectType: "conversation",
    subjectId: conversation.id,
    channel: conversation.channel,
    status: conversation.status,
    explanation: isAssignment
      ? assignees.length === 0
        ? "Unassigned"
        : `To ${assignees.join(" and ")}`
      : `From ${read?.previous_status ?? "unknown"} to ${read?.conversation.status ?? "unknown"}`
  }
}

export const leadEntry = ({ createdAt, id, pipelineId, stage, title }: Lead): HistoryEntry => ({
  ...basis,
  id,
  at: createdAt,
  type: "lead_opened",
  subjectType: "lead",
  subjectId: id,
  explanation: `${title === null ? "Without a title" : quoted(title)}, in pipeline ${pipelineId}; its stage is ${stage} now`
})

export const leadEventEntry = ({ createdAt, data, id, subjectId }: Event): HistoryEntry => {
  const read = Option.getOrNull(Schema.decodeUnknownOption(LeadData)(data))
  return {
    ...basis,
    id,
    at: createdAt,
    type: "lead_moved",
    subjectType: "lead",
    subjectId,
    explanation: `From stage ${read?.from_stage ?? "unknown"} to ${read?.to_stage ?? "unknown"}`
  }
}

export const taskEntry = ({ createdAt, id, status, title }: Task): HistoryEntry => ({
  id,
  at: createdAt,
  type: "task_opened",
  subjectType: "task",
  subjectId: id,
  channel: null,
  status,
  explanation: quoted(title)
})

/** The columns of {@link businessEventEntry}. */
export const businessEventColumns = ["id", "name", "applicationId", "createdAt"] as const

export const businessEventEntry = ({
  applicationId,
  createdAt,
  id,
  name
}: Pick<BusinessEvent, (typeof businessEventColumns)[number]>): HistoryEntry => ({
  ...basis,
  id,
  at: createdAt,
  type: "event_received",
  subjectType: "event",
  subjectId: id,
  explanation: `${name} from application ${applicationId}`
})

/** The columns of {@link runEntry}. */
export const runColumns = ["id", "workflowId", "eventName", "status", "reason", "createdAt", "endedAt"] as const

export const runEntry = ({
  createdAt,
  endedAt,
  eventName,
  id,
  reason,
  status,
  workflowId
}: Pick<Run, (typeof runColumns)[number]>): HistoryEntry => ({
  id,
  at: createdAt,
  type: "run_started",
  subjectType: "workflow_run",
  subjectId: id,
  channel: null,
  status,
  explanation: [
    `Workflow ${workflowId} for ${eventName}`,
    ...(endedAt === null ? [] : [`ended ${timestamp(endedAt)}`]),
    ...(reason === null ? [] : [reason])
  ].join(", ")
})

/** The columns of {@link botEntry}. */
export const botColumns = ["id", "botName", "conversationId", "status", "outcome", "startedAt", "endedAt"] as const

export const botEntry = ({
  botName,
  conversationId,
  endedAt,
  id,
  outcome,
  startedAt,
  status
}: Pick<BotSession, (typeof botColumns)[number]>): HistoryEntry => ({
  id,
  at: startedAt,
  type: "bot_started",
  subjectType: "bot_session",
  subjectId: id,
  channel: null,
  status,
  explanation: [
    `${botName} in conversation ${conversationId}`,
    ...(outcome === null ? [] : [outcome]),
    ...(endedAt === null ? [] : [`ended ${timestamp(endedAt)}`])
  ].join(", ")
})
