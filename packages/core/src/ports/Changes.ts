import type { Agent } from "../model/Agent.js"
import type { ApiKey, Application } from "../model/Application.js"
import type { AttachedFile } from "../model/AttachedFile.js"
import type { AuditEntry } from "../model/AuditEntry.js"
import type { Bot } from "../model/Bot.js"
import type { BotSession } from "../model/BotSession.js"
import type { BusinessEvent } from "../model/BusinessEvent.js"
import type { Connection } from "../model/Connection.js"
import type { Address, Contact, CustomField, Tag } from "../model/Contact.js"
import type { Conversation, FeedEntry } from "../model/Conversation.js"
import type { Attempt, Delivery } from "../model/Delivery.js"
import type { Endpoint } from "../model/Endpoint.js"
import type { Event } from "../model/Event.js"
import type { HeldAccount } from "../model/HeldAccount.js"
import type { IdempotencyRecord } from "../model/IdempotencyRecord.js"
import type { Instant } from "../model/Instant.js"
import type { Job } from "../model/Job.js"
import type { Lead } from "../model/Lead.js"
import type { LoggedRequest } from "../model/LoggedRequest.js"
import type { Message, ProviderMessage } from "../model/Message.js"
import type { Notification } from "../model/Notification.js"
import type { AccessToken, OAuthClient } from "../model/OAuthClient.js"
import type { Pipeline } from "../model/Pipeline.js"
import type { Run, RunKey } from "../model/Run.js"
import type { Task } from "../model/Task.js"
import type { Team } from "../model/Team.js"
import type { Template } from "../model/Template.js"
import type { UnknownEvent } from "../model/UnknownEvent.js"
import type { Upload } from "../model/Upload.js"
import type { Workflow, WorkflowVersion } from "../model/Workflow.js"
import type { Workspace } from "../model/Workspace.js"

/** The logical tables: table name to row type. An adapter maps them to its own schema. */
export interface Tables {
  readonly workspaces: Workspace
  readonly applications: Application
  readonly apiKeys: ApiKey
  readonly oauthClients: OAuthClient
  readonly accessTokens: AccessToken
  readonly auditLog: AuditEntry
  readonly idempotency: IdempotencyRecord
  readonly connections: Connection
  readonly accounts: HeldAccount
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
  readonly uploads: Upload
  readonly unknownEvents: UnknownEvent
  readonly jobs: Job
}
export type TableName = keyof Tables

/** The primary key of each table. A natural key (other than `id`) is also what a claim of the row must be unique in. */
export const keys = {
  workspaces: ["id"],
  applications: ["id"],
  apiKeys: ["id"],
  oauthClients: ["id"],
  accessTokens: ["hash"],
  auditLog: ["id"],
  idempotency: ["applicationId", "key"],
  connections: ["id"],
  accounts: ["provider", "channel", "space", "name"],
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
  uploads: ["id"],
  unknownEvents: ["id"],
  jobs: ["id"]
} as const satisfies { readonly [T in TableName]: ReadonlyArray<keyof Tables[T]> }

/** The unique columns of claimable rows that are not the primary key. */
export const uniques = {
  apiKeys: ["hash"],
  oauthClients: ["clientId"],
  templates: ["workspaceId", "channel", "name", "language", "account"],
  conversations: ["connectionId", "handle"]
} as const satisfies { readonly [T in TableName]?: ReadonlyArray<keyof Tables[T]> }

/** The primary key values of one row; the columns are those in {@link keys}. */
export type Key<T extends TableName> = { readonly [K in (typeof keys)[T][number] & keyof Tables[T]]: Tables[T][K] }

/** Required column values. A list means: one of these values. All columns must match. */
export type Condition<T extends TableName> = {
  readonly [K in keyof Tables[T]]?: Tables[T][K] | ReadonlyArray<Tables[T][K]>
}

/** A row tagged with its table. */
export type RowOf<T extends TableName> = { readonly [K in T]: { readonly table: K; readonly row: Tables[K] } }[T]

/** The tables that accept claims. */
export type ClaimTable =
  | "workspaces"
  | "idempotency"
  | "addresses"
  | "providerMessages"
  | "customFields"
  | "tags"
  | "accessTokens"
  | "runKeys"
  | "accounts"
  | "endpoints"
  | keyof typeof uniques

/**
 * Inserts a row that must be new under its unique columns ({@link uniques}, else {@link keys}). If a row with these
 * values exists, the commit is a `Conflict` (docs/reference/commits.md#claims).
 */
export type Claim = RowOf<ClaimTable>

/**
 * Locks an existing row and checks `where`. If the row is missing or a column differs, the commit is a `Conflict`
 * (docs/reference/commits.md#expects). The usual condition is `version`.
 */
export type Expect = {
  readonly [T in TableName]: {
    readonly table: T
    readonly key: Key<T>
    readonly where: Condition<T>
    /**
     * True: the row is checked and not locked, so it may change before the end of the commit. Not for rows to write.
     */
    readonly unlocked?: true
  }
}[TableName]

/**
 * Updates columns of a row that the same commit expects, and raises its `version` by one
 * (docs/reference/commits.md#sets).
 */
export type Set = {
  readonly [T in TableName]: { readonly table: T; readonly key: Key<T>; readonly values: Partial<Tables[T]> }
}[TableName]

/** Deletes a row that the same commit expects (docs/reference/commits.md#deletes). */
export type Delete = { readonly [T in TableName]: { readonly table: T; readonly key: Key<T> } }[TableName]

/**
 * A commutative update of a hot row. It needs no expect and leaves `version` alone, so bumps never conflict. A bump of
 * a missing row does nothing. The values afterwards are in `Committed.bumped` (docs/reference/commits.md#bumps).
 */
export interface Bump {
  readonly table: "contacts" | "conversations" | "connections" | "endpoints"
  readonly id: string
  /** Sets each column to the greater of its present value and this one. */
  readonly greatest?: { readonly [column: string]: number }
  /** Adds to each column. */
  readonly add?: { readonly [column: string]: number }
  /** Sets each column to the value unconditionally. */
  readonly reset?: { readonly [column: string]: number }
}

/**
 * Ends the claim of the job that the commit belongs to. `epoch` is the fencing token of the claim: if the stored epoch
 * differs, the lease was lost and the commit is `Fenced` (docs/reference/commits.md#settle).
 */
export interface Settle {
  readonly jobId: string
  readonly epoch: number
  /**
   * Null deletes the job. Otherwise it becomes unleased and due at `runAt` (ms), with this lane and payload. `subject`:
   * by default the same. `failure`: the handler's failures; by default none.
   */
  readonly again: {
    readonly runAt: Instant
    readonly lane: Job["lane"]
    readonly subject?: Job["subject"]
    readonly payload: Job["payload"]
    readonly failure?: Job["failure"]
  } | null
}

/**
 * One state change as plain data, the argument of `Storage.commit` (docs/reference/commits.md#changes).
 *
 * Invariants:
 * - Atomic: all parts are written, or none.
 * - Committing the same value twice has the effect of committing it once. So it has a claim, an expect or a settle, or
 *   nothing but ensures.
 * - Each set and each delete refers to a row in `expects`.
 *
 * | part | row before | `version` | else |
 * |---|---|---|---|
 * | claim | absent | as given | `Conflict` |
 * | expect | present and matching | – | `Conflict` |
 * | insert | absent (fresh id) | as given | `ChangesRejected` |
 * | ensure | absent or present | unchanged if present | – |
 * | set | expected | + 1 | – |
 * | delete | expected | – | – |
 * | bump | present or absent | unchanged | no effect if absent |
 * | settle | job has this epoch | – | `Fenced` |
 *
 * @example
 * ```ts
 * // Renames an agent that was loaded with `version`, and writes the audit entry in the same commit.
 * changes(agent.workspaceId, {
 *   expects: [expect("agents", { id: agent.id }, { version: agent.version })],
 *   sets: [set("agents", { id: agent.id }, { name: "Grace" })],
 *   inserts: [row("auditLog", entry)]
 * })
 * ```
 */
export interface Changes {
  /** The tenant. Adapters serve the waiting commits of all tenants in turn. */
  readonly workspaceId: string
  readonly claims: ReadonlyArray<Claim>
  readonly expects: ReadonlyArray<Expect>
  /** Rows with fresh ids, which cannot collide. */
  readonly inserts: ReadonlyArray<RowOf<TableName>>
  /**
   * Rows by natural key, inserted if absent. An existing row stays unchanged. Not for contacts: an adapter that
   * maintains contact lists must know which contacts are new.
   */
  readonly ensures: ReadonlyArray<RowOf<Exclude<TableName, "contacts">>>
  readonly sets: ReadonlyArray<Set>
  readonly deletes: ReadonlyArray<Delete>
  readonly bumps: ReadonlyArray<Bump>
  readonly settle: Settle | null
}

/** Ends the claim of a job. The job waits for `again`; null deletes it. */
export const settleJob = ({ epoch, id }: Pick<Job, "id" | "epoch">, again: Settle["again"]): Settle => ({
  jobId: id,
  epoch,
  again
})

/** Ends the claim of a job and deletes the job. */
export const endJob = (job: Pick<Job, "id" | "epoch">): Settle => settleJob(job, null)

/** A subset of the parts of {@link Changes}; rules return it for composition. */
export type Parts = Partial<Omit<Changes, "workspaceId">>

/** Concatenates parts into one {@link Changes}. At most one part may have a `settle`; the first one counts. */
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

/** Concatenates one list of all parts. Reuses the list if only one part has entries. */
const joined = <K extends Exclude<keyof Parts, "settle">>(parts: ReadonlyArray<Parts>, name: K): Changes[K] => {
  let all: ReadonlyArray<unknown> = none
  for (const part of parts) {
    const more = part[name]
    if (more !== undefined && more.length > 0) all = all.length === 0 ? more : [...all, ...more]
  }
  return all as Changes[K]
}

/** Builds an entry of `claims`, `inserts` or `ensures`. */
export const row = <T extends TableName>(table: T, row: Tables[T]): RowOf<T> => ({ table, row }) as unknown as RowOf<T>

/** Builds an entry of `expects`. Without conditions, the row only has to exist. */
export const expect = <T extends TableName>(table: T, key: Key<T>, where: Condition<T> = {}): Expect =>
  ({ table, key, where }) as unknown as Expect

/** Builds an entry of `expects` that does not lock the row. */
export const check = <T extends TableName>(table: T, key: Key<T>, where: Condition<T>): Expect => ({
  ...expect(table, key, where),
  unlocked: true
})

/** Builds an entry of `sets`. */
export const set = <T extends TableName>(table: T, key: Key<T>, values: Partial<Tables[T]>): Set =>
  ({ table, key, values }) as unknown as Set

/** Builds an entry of `deletes`. */
export const remove = <T extends TableName>(table: T, key: Key<T>): Delete => ({ table, key }) as unknown as Delete
