import type { TableName, Tables } from "@parley/core"
import { keys } from "@parley/core"

/** What a column holds; the dialect says how. `integer` is a count or a time in milliseconds. */
export type Kind = "uuid" | "text" | "integer" | "boolean" | "json"

/** Every column of every table, by its name in the model. */
export const columns = {
  workspaces: {
    id: "uuid",
    name: "text",
    defaultLanguage: "text",
    timezone: "text",
    status: "text",
    createdAt: "integer",
    version: "integer"
  },
  applications: {
    id: "uuid",
    workspaceId: "uuid",
    name: "text",
    mode: "text",
    scopes: "json",
    connectionIds: "json",
    requestsPerMinute: "integer",
    sendsPerMinute: "integer",
    status: "text",
    createdAt: "integer",
    version: "integer"
  },
  apiKeys: {
    id: "uuid",
    workspaceId: "uuid",
    applicationId: "uuid",
    hash: "text",
    lastFour: "text",
    createdAt: "integer",
    revokedAt: "integer",
    version: "integer"
  },
  oauthClients: {
    id: "uuid",
    workspaceId: "uuid",
    applicationId: "uuid",
    clientId: "text",
    secretHash: "text",
    lastFour: "text",
    createdAt: "integer",
    revokedAt: "integer",
    version: "integer"
  },
  accessTokens: {
    hash: "text",
    workspaceId: "uuid",
    applicationId: "uuid",
    oauthClientId: "uuid",
    clientVersion: "integer",
    scopes: "json",
    createdAt: "integer",
    expiresAt: "integer"
  },
  auditLog: {
    id: "uuid",
    workspaceId: "uuid",
    applicationId: "uuid",
    actor: "text",
    action: "text",
    subjectId: "text",
    createdAt: "integer"
  },
  idempotency: {
    workspaceId: "uuid",
    applicationId: "uuid",
    key: "text",
    fingerprint: "text",
    state: "text",
    deadline: "integer",
    status: "integer",
    body: "text",
    createdAt: "integer",
    expiresAt: "integer",
    version: "integer"
  },
  connections: {
    id: "uuid",
    workspaceId: "uuid",
    channel: "text",
    provider: "text",
    name: "text",
    handle: "text",
    status: "text",
    isTest: "boolean",
    config: "json",
    credentials: "text",
    heldUntil: "integer",
    heldMs: "integer",
    createdAt: "integer",
    version: "integer"
  },
  templates: {
    id: "uuid",
    workspaceId: "uuid",
    channel: "text",
    name: "text",
    language: "text",
    category: "text",
    body: "text",
    status: "text",
    createdAt: "integer",
    version: "integer"
  },
  contacts: {
    id: "uuid",
    workspaceId: "uuid",
    firstName: "text",
    lastName: "text",
    company: "text",
    jobTitle: "text",
    email: "text",
    phone: "text",
    country: "text",
    city: "text",
    language: "text",
    timezone: "text",
    lifecycleStage: "text",
    optedOut: "boolean",
    marketingOptedOut: "boolean",
    identities: "json",
    tags: "json",
    customFields: "json",
    visitorName: "text",
    nameKey: "text",
    searchKey: "text",
    lastActivityAt: "integer",
    createdAt: "integer",
    version: "integer"
  },
  addresses: {
    workspaceId: "uuid",
    space: "text",
    handle: "text",
    contactId: "uuid"
  },
  tags: {
    workspaceId: "uuid",
    folded: "text",
    name: "text"
  },
  customFields: {
    workspaceId: "uuid",
    key: "text",
    type: "text",
    label: "text"
  },
  conversations: {
    id: "uuid",
    workspaceId: "uuid",
    connectionId: "uuid",
    channel: "text",
    handle: "text",
    contactId: "uuid",
    status: "text",
    assignedUserId: "text",
    assignedTeamId: "text",
    lastActivityAt: "integer",
    lastInboundAt: "integer",
    deliveredUpTo: "integer",
    readUpTo: "integer",
    fed: "integer",
    botSessionId: "uuid",
    createdAt: "integer",
    version: "integer"
  },
  messages: {
    id: "uuid",
    workspaceId: "uuid",
    applicationId: "uuid",
    agentId: "uuid",
    workflowRunId: "uuid",
    botSessionId: "uuid",
    externalReference: "text",
    conversationId: "uuid",
    contactId: "uuid",
    connectionId: "uuid",
    direction: "text",
    type: "text",
    status: "text",
    body: "text",
    subject: "text",
    html: "text",
    templateName: "text",
    templateLanguage: "text",
    variables: "json",
    attachments: "json",
    error: "json",
    providerMessageId: "text",
    createdAt: "integer",
    sentAt: "integer",
    deliveredAt: "integer",
    readAt: "integer",
    receivedAt: "integer",
    version: "integer"
  },
  providerMessages: {
    connectionId: "uuid",
    providerMessageId: "text",
    workspaceId: "uuid",
    messageId: "uuid",
    parked: "json",
    createdAt: "integer",
    version: "integer"
  },
  events: {
    id: "uuid",
    workspaceId: "uuid",
    type: "text",
    applicationId: "uuid",
    connectionId: "uuid",
    subjectId: "text",
    hasExternalReference: "boolean",
    externalReference: "text",
    data: "text",
    createdAt: "integer"
  },
  endpoints: {
    id: "uuid",
    workspaceId: "uuid",
    applicationId: "uuid",
    url: "text",
    events: "json",
    description: "text",
    secret: "text",
    status: "text",
    consecutiveFailures: "integer",
    createdAt: "integer",
    version: "integer"
  },
  deliveries: {
    id: "uuid",
    workspaceId: "uuid",
    applicationId: "uuid",
    endpointId: "uuid",
    eventId: "uuid",
    status: "text",
    attempts: "integer",
    round: "integer",
    createdAt: "integer",
    completedAt: "integer",
    version: "integer"
  },
  attempts: {
    id: "uuid",
    workspaceId: "uuid",
    deliveryId: "uuid",
    endpointId: "uuid",
    number: "integer",
    startedAt: "integer",
    durationMs: "integer",
    status: "integer",
    error: "text",
    answer: "text"
  },
  agents: {
    id: "uuid",
    workspaceId: "uuid",
    name: "text",
    email: "text",
    status: "text",
    createdAt: "integer",
    version: "integer"
  },
  teams: {
    id: "uuid",
    workspaceId: "uuid",
    name: "text",
    agentIds: "json",
    createdAt: "integer",
    version: "integer"
  },
  pipelines: {
    id: "uuid",
    workspaceId: "uuid",
    name: "text",
    stages: "json",
    createdAt: "integer",
    version: "integer"
  },
  leads: {
    id: "uuid",
    workspaceId: "uuid",
    contactId: "uuid",
    pipelineId: "uuid",
    stage: "text",
    title: "text",
    value: "json",
    currency: "text",
    createdAt: "integer",
    updatedAt: "integer",
    version: "integer"
  },
  workflows: {
    id: "uuid",
    workspaceId: "uuid",
    name: "text",
    status: "text",
    eventName: "text",
    definition: "json",
    versionId: "uuid",
    versions: "integer",
    edited: "boolean",
    secret: "text",
    createdAt: "integer",
    version: "integer"
  },
  workflowVersions: {
    id: "uuid",
    workspaceId: "uuid",
    workflowId: "uuid",
    number: "integer",
    definition: "json",
    createdAt: "integer"
  },
  workflowRuns: {
    id: "uuid",
    workspaceId: "uuid",
    workflowId: "uuid",
    versionId: "uuid",
    applicationId: "uuid",
    contactId: "uuid",
    businessEventId: "uuid",
    eventName: "text",
    data: "json",
    status: "text",
    position: "integer",
    pending: "json",
    steps: "json",
    reason: "text",
    createdAt: "integer",
    endedAt: "integer",
    version: "integer"
  },
  runKeys: {
    workflowId: "uuid",
    applicationId: "uuid",
    key: "text",
    workspaceId: "uuid",
    runId: "uuid"
  },
  bots: {
    id: "uuid",
    workspaceId: "uuid",
    name: "text",
    status: "text",
    script: "json",
    createdAt: "integer",
    version: "integer"
  },
  botSessions: {
    id: "uuid",
    workspaceId: "uuid",
    botId: "uuid",
    botName: "text",
    script: "json",
    conversationId: "uuid",
    contactId: "uuid",
    connectionId: "uuid",
    applicationId: "uuid",
    workflowRunId: "uuid",
    status: "text",
    outcome: "text",
    step: "text",
    tries: "integer",
    answers: "json",
    takenUpTo: "uuid",
    startedAt: "integer",
    expiresAt: "integer",
    endedAt: "integer",
    version: "integer"
  },
  businessEvents: {
    id: "uuid",
    workspaceId: "uuid",
    applicationId: "uuid",
    name: "text",
    contactId: "uuid",
    dedupeKey: "text",
    idempotencyKey: "text",
    data: "json",
    createdAt: "integer"
  },
  tasks: {
    id: "uuid",
    workspaceId: "uuid",
    title: "text",
    contactId: "uuid",
    conversationId: "uuid",
    assignedUserId: "text",
    assignedTeamId: "text",
    status: "text",
    dueAt: "integer",
    createdAt: "integer",
    version: "integer"
  },
  notifications: {
    id: "uuid",
    workspaceId: "uuid",
    applicationId: "uuid",
    kind: "text",
    subjectId: "text",
    message: "text",
    createdAt: "integer"
  },
  requestLog: {
    id: "uuid",
    workspaceId: "uuid",
    applicationId: "uuid",
    method: "text",
    path: "text",
    status: "integer",
    durationMs: "integer",
    errorCode: "text",
    createdAt: "integer"
  },
  feed: {
    conversationId: "uuid",
    sequence: "integer",
    workspaceId: "uuid",
    messageId: "uuid"
  },
  attachedFiles: {
    id: "uuid",
    workspaceId: "uuid",
    connectionId: "uuid",
    messageId: "uuid",
    status: "text",
    reference: "text",
    createdAt: "integer",
    version: "integer"
  },
  unknownEvents: {
    id: "uuid",
    workspaceId: "uuid",
    connectionId: "uuid",
    kind: "text",
    raw: "text",
    createdAt: "integer"
  },
  jobs: {
    id: "uuid",
    workspaceId: "uuid",
    lane: "text",
    subject: "text",
    reference: "text",
    payload: "json",
    runAt: "integer",
    leaseUntil: "integer",
    leaseOwner: "text",
    epoch: "integer",
    attempts: "integer",
    createdAt: "integer"
  }
} as const satisfies { readonly [T in TableName]: { readonly [C in keyof Tables[T]]-?: Kind } }

/** The name of a table or column in SQL: `lastActivityAt` is `last_activity_at`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A column under both of its names. */
export interface Column {
  readonly name: string
  readonly sql: string
  readonly kind: Kind
}

/** A table as the statements see it. */
export interface Table {
  readonly name: TableName
  readonly sql: string
  readonly columns: ReadonlyArray<Column>
  readonly column: ReadonlyMap<string, Column>
  readonly key: ReadonlyArray<Column>
  readonly hasVersion: boolean
}

const describe = (name: TableName): Table => {
  const described = Object.entries(columns[name]).map(([column, kind]) => ({
    name: column,
    sql: snakeCase(column),
    kind
  }))
  const byName = new Map(described.map((column) => [column.name, column]))
  return {
    name,
    sql: snakeCase(name),
    columns: described,
    column: byName,
    key: described.filter((column) => (keys[name] as ReadonlyArray<string>).includes(column.name)),
    hasVersion: byName.has("version")
  }
}

/** Every table, in the one order in which rows are claimed, locked and written, so that batches never wait in a circle. */
export const tables: ReadonlyArray<Table> = (Object.keys(columns) as Array<TableName>).map(describe)

const byName = new Map(tables.map((table) => [table.name, table]))

/** The table of this name. */
export const tableOf = (name: TableName): Table => byName.get(name) as Table

/** The columns of these names, in the order given; a name that the table lacks is a defect of the caller. */
export const columnsOf = (table: Table, names: ReadonlyArray<string>): ReadonlyArray<Column> =>
  names.map((name) => {
    const column = table.column.get(name)
    if (column === undefined) throw new TypeError(`${table.name} has no column ${name}`)
    return column
  })

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether any row can have this value there: what cannot be is not asked of the database, which would refuse it. */
export const canBe = (column: Column, value: unknown): boolean =>
  typeof value !== "string" || (column.kind === "uuid" ? uuid.test(value) : !value.includes("\u0000"))

/** The values of some columns as one text, to find rows by in memory. */
export const textOf = (columns: ReadonlyArray<Column>, row: { readonly [column: string]: unknown }): string => {
  const [only] = columns
  if (columns.length === 1 && only !== undefined) return `${row[only.name]}`
  let text = ""
  for (const column of columns) {
    const value = `${row[column.name]}`
    text += `${value.length}:${value}`
  }
  return text
}
