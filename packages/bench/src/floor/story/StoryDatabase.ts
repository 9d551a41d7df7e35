import type {
  Application,
  Bot,
  Changes,
  Connection,
  Contact,
  Conversation,
  Endpoint,
  IdempotencyRecord,
  Job,
  Message,
  ProviderMessage,
  Template
} from "@parley/core"

/** The steps of a story that write. All commits of one kind have the same parts. */
export type StoryStep = "accept" | "outcome" | "receipt" | "attempt" | "inbound"

/** The receivers of events. */
export interface Receivers {
  readonly endpoints: ReadonlyArray<Endpoint>
  readonly applications: ReadonlyArray<Application>
}

/** What a batch of sends of one workspace reads. */
export interface SendRows extends Receivers {
  readonly connections: ReadonlyArray<Connection>
  readonly templates: ReadonlyArray<Template>
  /** By handle. */
  readonly recipients: ReadonlyMap<string, { readonly contact: Contact; readonly conversation: Conversation }>
  /** By key. */
  readonly records: ReadonlyMap<string, IdempotencyRecord>
}

/** What is stored of a customer and of a vendor's message. */
export interface Customer {
  readonly contact: Contact | undefined
  readonly conversation: Conversation | undefined
}

/** What a batch of inbound messages of one connection reads. */
export interface InboundRows extends Receivers {
  readonly connection: Connection
  /** Active ones. */
  readonly bots: ReadonlyArray<Bot>
  /** By handle. */
  readonly customers: ReadonlyMap<string, Customer>
  /** By the vendor's id of the message. */
  readonly known: ReadonlyMap<string, ProviderMessage>
}

/** A scheduled receipt with its lease, and what it reads. */
export interface DueReceipt {
  readonly job: Job
  readonly message: Message
  readonly known: ProviderMessage
}

/** The lease of a job for this process. */
export interface Lease {
  readonly owner: string
  readonly until: number
}

/** The database of a program by hand. Each call is one statement on Postgres, one durable transaction on SQLite. */
export interface StoryDatabase {
  /** Reads what sends to these handles under these keys need, and takes a token of the sends bucket for each. */
  readonly readSends: (handles: ReadonlyArray<string>, keys: ReadonlyArray<string>) => Promise<SendRows>
  /** Reads what messages from these handles with these ids of the vendor need. */
  readonly readInbound: (
    connectionId: string,
    handles: ReadonlyArray<string>,
    providerMessageIds: ReadonlyArray<string>
  ) => Promise<InboundRows>
  /**
   * Writes commits of one kind, durably, with the guards of the engine: claims are new, expected rows match and jobs
   * have their epoch. Fails if a guard does not hold: the general path, which this program does not have, would decide
   * then.
   */
  readonly write: (step: StoryStep, batch: ReadonlyArray<Changes>) => Promise<unknown>
  /** Leases the oldest due receipts. */
  readonly leaseReceipts: (lease: Lease, limit: number) => Promise<ReadonlyArray<DueReceipt>>
  readonly close: () => Promise<void>
}

/** The columns that each step sets; the table of its sets. */
export const setColumns = {
  outcome: {
    table: "messages",
    columns: ["status", "error", "sentAt", "deliveredAt", "readAt", "providerMessageId"]
  },
  receipt: { table: "messages", columns: ["status", "error", "sentAt", "deliveredAt", "readAt"] },
  attempt: { table: "deliveries", columns: ["status", "attempts", "round", "completedAt"] }
} as const

/** The tables in which each step inserts, in the order of the engine. */
export const insertTables = {
  accept: ["idempotency", "messages", "events", "deliveries", "jobs"],
  outcome: ["providerMessages", "events", "deliveries", "jobs"],
  receipt: ["events", "deliveries", "jobs"],
  attempt: ["attempts"],
  inbound: ["addresses", "contacts", "conversations", "providerMessages", "messages", "events", "deliveries", "jobs"]
} as const

/** A contact in one of the lists that the engine keeps of contacts: of all, of a stage, of a channel. */
export interface Listing {
  readonly workspaceId: string
  readonly facet: string
  readonly nameKey: string
  readonly contactId: string
}

/** The lists of the contacts that a commit adds. */
export const listingsOf = (changes: Changes): ReadonlyArray<Listing> =>
  (addedTo("contacts", changes) as unknown as ReadonlyArray<Contact>).flatMap(
    ({ id: contactId, identities, lifecycleStage, nameKey, workspaceId }) =>
      ["", `stage:${lifecycleStage}`, ...identities.map(({ channel }) => `channel:${channel}`)].map((facet) => ({
        ...{ workspaceId, facet, nameKey, contactId }
      }))
  )

/** What an inbound message must find in its conversation; a send finds its contact only. */
export interface ExpectedConversation {
  readonly contactId?: string
  readonly status?: string
}

/** The condition on the conversation that a commit bumps. */
export const expectedConversation = ({ expects }: Changes): ExpectedConversation =>
  (expects.find(({ table }) => table === "conversations")?.where ?? {}) as ExpectedConversation

/** The rows that a commit adds to a table, claimed or not. */
export const addedTo = (table: string, { claims, inserts }: Changes): ReadonlyArray<Record<string, unknown>> => {
  const rows: Array<Record<string, unknown>> = []
  for (const one of claims) if (one.table === table) rows.push(one.row as unknown as Record<string, unknown>)
  for (const one of inserts) if (one.table === table) rows.push(one.row as unknown as Record<string, unknown>)
  return rows
}

/** The version that the row of a set must have. Sets and the expects of their rows are in the same order. */
export const expectedVersion = ({ expects }: Changes, i: number): unknown =>
  (expects[i]?.where as { readonly version?: number } | undefined)?.version
