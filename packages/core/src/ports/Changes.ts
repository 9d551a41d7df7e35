import type { ApiKey, Application } from "../access/Application.js"
import type { AuditEntry } from "../access/AuditEntry.js"
import type { IdempotencyRecord } from "../access/IdempotencyRecord.js"
import type { AccessToken, OAuthClient } from "../access/OAuthClient.js"
import type { Workspace } from "../access/Workspace.js"
import type { Agent } from "../agents/Agent.js"
import type { Team } from "../agents/Team.js"
import type { AttachedFile } from "../attachments/AttachedFile.js"
import type { Bot } from "../bots/Bot.js"
import type { BotSession } from "../bots/BotSession.js"
import type { Connection } from "../channels/Connection.js"
import type { Address, Contact, CustomField, Tag } from "../contacts/Contact.js"
import type { Conversation, FeedEntry } from "../conversations/Conversation.js"
import type { Event } from "../events/Event.js"
import type { Instant } from "../Instant.js"
import type { UnknownEvent } from "../inbound/UnknownEvent.js"
import type { Lead } from "../leads/Lead.js"
import type { Pipeline } from "../leads/Pipeline.js"
import type { Message, ProviderMessage } from "../messages/Message.js"
import type { Notification } from "../notifications/Notification.js"
import type { LoggedRequest } from "../requests/LoggedRequest.js"
import type { Task } from "../tasks/Task.js"
import type { Template } from "../templates/Template.js"
import type { Attempt, Delivery } from "../webhooks/Delivery.js"
import type { Endpoint } from "../webhooks/Endpoint.js"
import type { Job } from "../worker/Job.js"
import type { BusinessEvent } from "../workflows/BusinessEvent.js"
import type { Run, RunKey } from "../workflows/runs/Run.js"
import type { Workflow, WorkflowVersion } from "../workflows/Workflow.js"

/** Everything that is stored, by the name of the collection that it is stored in. */
export interface Tables {
  readonly workspaces: Workspace
  readonly applications: Application
  readonly apiKeys: ApiKey
  readonly oauthClients: OAuthClient
  readonly accessTokens: AccessToken
  readonly auditLog: AuditEntry
  readonly idempotency: IdempotencyRecord
  readonly connections: Connection
  readonly templates: Template
  readonly contacts: Contact
  readonly addresses: Address
  readonly tags: Tag
  readonly customFields: CustomField
  readonly conversations: Conversation
  readonly messages: Message
  readonly providerMessages: ProviderMessage
  readonly events: Event
  readonly endpoints: Endpoint
  readonly deliveries: Delivery
  readonly attempts: Attempt
  readonly agents: Agent
  readonly teams: Team
  readonly pipelines: Pipeline
  readonly leads: Lead
  readonly workflows: Workflow
  readonly workflowVersions: WorkflowVersion
  readonly workflowRuns: Run
  readonly runKeys: RunKey
  readonly bots: Bot
  readonly botSessions: BotSession
  readonly businessEvents: BusinessEvent
  readonly tasks: Task
  readonly notifications: Notification
  readonly requestLog: LoggedRequest
  readonly feed: FeedEntry
  readonly attachedFiles: AttachedFile
  readonly unknownEvents: UnknownEvent
  readonly jobs: Job
}
export type TableName = keyof Tables

/** The columns that identify a row. Where they are not `id`, they are what a claim of the row is about. */
export const keys = {
  workspaces: ["id"],
  applications: ["id"],
  apiKeys: ["id"],
  oauthClients: ["id"],
  accessTokens: ["hash"],
  auditLog: ["id"],
  idempotency: ["applicationId", "key"],
  connections: ["id"],
  templates: ["id"],
  contacts: ["id"],
  addresses: ["workspaceId", "space", "handle"],
  tags: ["workspaceId", "folded"],
  customFields: ["workspaceId", "key"],
  conversations: ["id"],
  messages: ["id"],
  providerMessages: ["connectionId", "providerMessageId"],
  events: ["id"],
  endpoints: ["id"],
  deliveries: ["id"],
  attempts: ["id"],
  agents: ["id"],
  teams: ["id"],
  pipelines: ["id"],
  leads: ["id"],
  workflows: ["id"],
  workflowVersions: ["id"],
  workflowRuns: ["id"],
  runKeys: ["applicationId", "key", "workflowId"],
  bots: ["id"],
  botSessions: ["id"],
  businessEvents: ["id"],
  tasks: ["id"],
  notifications: ["id"],
  requestLog: ["id"],
  feed: ["conversationId", "sequence"],
  attachedFiles: ["id"],
  unknownEvents: ["id"],
  jobs: ["id"]
} as const satisfies { readonly [T in TableName]: ReadonlyArray<keyof Tables[T]> }

/** The columns under which a claimed row must be new, where they are not its key. */
export const uniques = {
  apiKeys: ["hash"],
  oauthClients: ["clientId"],
  templates: ["workspaceId", "channel", "name", "language"],
  conversations: ["connectionId", "handle"]
} as const satisfies { readonly [T in TableName]?: ReadonlyArray<keyof Tables[T]> }

/** The values that name one row: its {@link keys}. */
export type Key<T extends TableName> = { readonly [K in (typeof keys)[T][number] & keyof Tables[T]]: Tables[T][K] }

/** Columns and the values that they must have; of a list, one of its values. */
export type Condition<T extends TableName> = {
  readonly [K in keyof Tables[T]]?: Tables[T][K] | ReadonlyArray<Tables[T][K]>
}

/** A row under a table's name. */
export type RowOf<T extends TableName> = { readonly [K in T]: { readonly table: K; readonly row: Tables[K] } }[T]

/** The tables whose rows can be claimed. */
export type ClaimTable =
  | "workspaces"
  | "idempotency"
  | "addresses"
  | "providerMessages"
  | "customFields"
  | "accessTokens"
  | "runKeys"
  | keyof typeof uniques

/** A row that must be new under its unique columns. */
export type Claim = RowOf<ClaimTable>

/** An existing row that is locked and checked: that it is there, and that it meets the condition. */
export type Expect = {
  readonly [T in TableName]: { readonly table: T; readonly key: Key<T>; readonly where: Condition<T> }
}[TableName]

/** New values of a row that is named in `expects`; its version is raised. */
export type Set = {
  readonly [T in TableName]: { readonly table: T; readonly key: Key<T>; readonly values: Partial<Tables[T]> }
}[TableName]

/** The removal of a row that is named in `expects`. */
export type Delete = { readonly [T in TableName]: { readonly table: T; readonly key: Key<T> } }[TableName]

/**
 * A change that commutes with others of its kind and leaves the version alone, so that hot rows never conflict. A bump of
 * a row that is gone does nothing.
 */
export interface Bump {
  readonly table: "contacts" | "conversations" | "connections" | "endpoints"
  readonly id: string
  /** Raises each column to the value, never lowers it. */
  readonly greatest?: { readonly [column: string]: number }
  /** Adds to each column. */
  readonly add?: { readonly [column: string]: number }
  /** Puts each column to the value, whatever it was. */
  readonly reset?: { readonly [column: string]: number }
}

/** What becomes of the job that a commit belongs to, if the committer still holds its lease. */
export interface Settle {
  readonly jobId: string
  readonly epoch: number
  /** Null: done, the job goes. Else it waits until then, unleased, in the lane and with the payload given. */
  readonly again: { readonly runAt: Instant; readonly lane: Job["lane"]; readonly payload: Job["payload"] } | null
}

/**
 * One change of state, as plain data: all of it or nothing. It carries a claim, an expect or a settle, or nothing but
 * ensures, so that committing it twice is harmless.
 */
export interface Changes {
  /** Whose work it is; the adapter shares itself out fairly among workspaces. */
  readonly workspaceId: string
  readonly claims: ReadonlyArray<Claim>
  readonly expects: ReadonlyArray<Expect>
  /** Rows under fresh ids, which cannot collide. */
  readonly inserts: ReadonlyArray<RowOf<TableName>>
  /** Rows by natural key that may be there already, and then stay as they are. */
  readonly ensures: ReadonlyArray<RowOf<TableName>>
  readonly sets: ReadonlyArray<Set>
  readonly deletes: ReadonlyArray<Delete>
  readonly bumps: ReadonlyArray<Bump>
  readonly settle: Settle | null
}

/** Some of the parts of {@link Changes}. */
export type Parts = Partial<Omit<Changes, "workspaceId">>

/** All of the parts given, together. At most one of them settles. */
export const changes = (workspaceId: string, ...parts: ReadonlyArray<Parts>): Changes => ({
  workspaceId,
  claims: joined(parts, "claims"),
  expects: joined(parts, "expects"),
  inserts: joined(parts, "inserts"),
  ensures: joined(parts, "ensures"),
  sets: joined(parts, "sets"),
  deletes: joined(parts, "deletes"),
  bumps: joined(parts, "bumps"),
  settle: parts.find((part) => part.settle != null)?.settle ?? null
})

const none: ReadonlyArray<never> = []

/** The lists of one name, one after the other; where only one part has any, its own list. */
const joined = <K extends Exclude<keyof Parts, "settle">>(parts: ReadonlyArray<Parts>, name: K): Changes[K] => {
  let all: ReadonlyArray<unknown> = none
  for (const part of parts) {
    const more = part[name]
    if (more !== undefined && more.length > 0) all = all.length === 0 ? more : [...all, ...more]
  }
  return all as Changes[K]
}

/** A row for `claims`, `inserts` or `ensures`. */
export const row = <T extends TableName>(table: T, row: Tables[T]): RowOf<T> => ({ table, row }) as unknown as RowOf<T>

/** An existing row that must meet `where`; without conditions, that must exist. */
export const expect = <T extends TableName>(table: T, key: Key<T>, where: Condition<T> = {}): Expect =>
  ({ table, key, where }) as unknown as Expect

/** New values for a row that is expected. */
export const set = <T extends TableName>(table: T, key: Key<T>, values: Partial<Tables[T]>): Set =>
  ({ table, key, values }) as unknown as Set

/** The removal of a row that is expected. */
export const remove = <T extends TableName>(table: T, key: Key<T>): Delete => ({ table, key }) as unknown as Delete
