import type { TableName } from "@parley/core"
import { type Column, canBe, type Table } from "@parley/sql"

export type Row = { readonly [column: string]: unknown }

/** The columns that may be null, as in the schemas of the adapters. */
export const nullable: { readonly [T in TableName]?: ReadonlyArray<string> } = {
  workspaces: ["defaultLanguage"],
  apiKeys: ["revokedAt"],
  oauthClients: ["revokedAt"],
  auditLog: ["applicationId"],
  connections: ["credentials"],
  templates: ["category", "parts", "statusAt"],
  contacts: [
    "firstName",
    "lastName",
    "company",
    "jobTitle",
    "email",
    "phone",
    "country",
    "city",
    "language",
    "timezone",
    "optedOutAt",
    "marketingOptedOutAt",
    "visitorName"
  ],
  conversations: ["assignedUserId", "assignedTeamId", "botSessionId"],
  messages: [
    "applicationId",
    "agentId",
    "workflowRunId",
    "botSessionId",
    "externalReference",
    "subject",
    "html",
    "templateName",
    "templateLanguage",
    "error",
    "providerMessageId",
    "content",
    "envelope",
    "sentAt",
    "deliveredAt",
    "readAt",
    "receivedAt"
  ],
  providerMessages: ["messageId"],
  events: ["applicationId", "connectionId", "externalReference", "raw"],
  endpoints: ["description", "ordered"],
  deliveries: ["completedAt", "orderKey", "orderState"],
  attempts: ["status", "error", "answer"],
  agents: ["email", "avatar"],
  leads: ["title", "value", "currency"],
  workflows: ["versionId", "secret"],
  workflowRuns: ["exactData", "pending", "reason", "endedAt"],
  botSessions: ["applicationId", "workflowRunId", "outcome", "reason", "step", "endedAt"],
  businessEvents: ["dedupeKey"],
  tasks: ["contactId", "conversationId", "assignedUserId", "assignedTeamId", "dueAt"],
  notifications: ["applicationId"],
  requestLog: ["errorCode"],
  attachedFiles: ["reference", "uploadId"],
  uploads: ["fileName"],
  jobs: ["payload", "leaseOwner", "failure"]
}

/** A value that the database will never accept. */
export class UnacceptableValue extends TypeError {}

interface CheckedColumn {
  readonly column: Column
  readonly isNullable: boolean
}
const checked = new Map<Table, ReadonlyArray<CheckedColumn>>()

const checkedColumns = (table: Table): ReadonlyArray<CheckedColumn> => {
  let columns = checked.get(table)
  if (columns === undefined) {
    const names = nullable[table.name] ?? []
    columns = table.columns.map((column) => ({ column, isNullable: names.includes(column.name) }))
    checked.set(table, columns)
  }
  return columns
}

/**
 * The row as the database stores it: every column, absent values as null, JSON without absent fields. Throws
 * {@link UnacceptableValue} where the type of the column or its NOT NULL refuses the value.
 */
export const storableRow = (table: Table, row: Row): Row => {
  const stored: { [column: string]: unknown } = {}
  for (const { column, isNullable } of checkedColumns(table)) {
    const value = row[column.name] ?? null
    if (value === null ? !isNullable : !isStorable(column, value)) {
      throw new UnacceptableValue(`${table.name}.${column.name} cannot be ${JSON.stringify(value)}`)
    }
    stored[column.name] = column.kind === "json" ? withoutAbsent(value) : value
  }
  return stored
}

const isStorable = (column: Column, value: unknown): boolean => {
  switch (column.kind) {
    case "integer":
      return Number.isSafeInteger(value)
    case "boolean":
      return typeof value === "boolean"
    case "json":
      return true
    case "text":
    case "uuid":
      return typeof value === "string" && canBe(column, value)
  }
}

/** The value after a way through JSON. Returns the same value if nothing is absent in it. */
const withoutAbsent = (value: unknown): unknown => (isPlain(value) ? value : JSON.parse(JSON.stringify(value)))

const isPlain = (value: unknown): boolean => {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== "object" || "toJSON" in value) return false
  if (Array.isArray(value)) return value.every(isPlain)
  for (const name in value) if (!isPlain((value as Row)[name])) return false
  return true
}
