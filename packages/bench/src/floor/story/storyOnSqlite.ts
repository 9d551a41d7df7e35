import type { Changes, TableName } from "@parley/core"
import { type Column, columnsOf, type Table, tableOf } from "@parley/sql"
import Database from "better-sqlite3"
import { applicationId, workspaceId } from "../../world/seed.js"
import { unexpected } from "../BatchQueue.js"
import {
  addedTo,
  type DueReceipt,
  expectedConversation,
  expectedVersion,
  type InboundRows,
  insertTables,
  type Lease,
  listingsOf,
  type SendRows,
  type StoryDatabase,
  type StoryStep,
  setColumns
} from "./StoryDatabase.js"

const encoded = ({ kind }: Column, value: unknown): unknown => {
  if (value === undefined || value === null) return null
  if (kind === "json") return JSON.stringify(value)
  return kind === "boolean" ? Number(value) : value
}

/** The row under the names of the model, with JSON and truth values decoded. */
const decoded = (table: Table, row: any): any => {
  const values: Record<string, unknown> = {}
  for (const { kind, name, sql } of table.columns) {
    const value = row[sql]
    values[name] =
      value === null ? null : kind === "json" ? JSON.parse(value) : kind === "boolean" ? value === 1 : value
  }
  return values
}

/**
 * One immediate transaction for each batch, with statements that are prepared once, called directly. Durable as the
 * engine's: WAL, `synchronous=FULL`. The tokens of a batch are taken with its rows.
 */
export const storyOnSqlite = (file: string): StoryDatabase => {
  const database = new Database(file)
  database.pragma("journal_mode = WAL")
  database.pragma("synchronous = FULL")

  const reader = <T extends TableName>(name: T, where: string) => {
    const table = tableOf(name)
    const statement = database.prepare(`SELECT * FROM ${table.sql} WHERE ${where}`)
    return (...values: ReadonlyArray<unknown>): any => {
      const row = statement.get(...values)
      return row === undefined ? undefined : decoded(table, row)
    }
  }
  const lister = (name: TableName, where: string) => {
    const table = tableOf(name)
    const statement = database.prepare(`SELECT * FROM ${table.sql} WHERE ${where}`)
    return (...values: ReadonlyArray<unknown>): ReadonlyArray<any> =>
      statement.all(...values).map((row) => decoded(table, row))
  }
  const inserter = (name: TableName) => {
    const { columns, sql } = tableOf(name)
    const marks = columns.map(() => "?").join(", ")
    const statement = database.prepare(
      `INSERT INTO ${sql} (${columns.map((column) => column.sql).join(", ")}) VALUES (${marks})`
    )
    return (row: Record<string, unknown>) => {
      statement.run(columns.map((column) => encoded(column, row[column.name])))
    }
  }
  const setter = ({ columns: names, table: name }: (typeof setColumns)[keyof typeof setColumns]) => {
    const table = tableOf(name)
    const columns = columnsOf(table, names)
    const assigned = columns.map(({ sql }) => `${sql} = ?`).join(", ")
    const statement = database.prepare(
      `UPDATE ${table.sql} SET ${assigned}, version = version + 1 WHERE id = ? AND version = ?`
    )
    return (changes: Changes) => {
      changes.sets.forEach(({ key, values }, i) => {
        const row = values as Record<string, unknown>
        const bound = columns.map((column) => encoded(column, row[column.name]))
        const { id } = key as { readonly id: string }
        if (statement.run(...bound, id, expectedVersion(changes, i)).changes !== 1) throw unexpected()
      })
    }
  }

  const connections = lister("connections", "workspace_id = ?")
  const endpoints = lister("endpoints", "workspace_id = ?")
  const applications = lister("applications", "workspace_id = ?")
  const templates = lister("templates", "workspace_id = ? AND channel = 'whatsapp' AND name = 'order_shipped'")
  const address = reader("addresses", "workspace_id = ? AND space = 'phone' AND handle = ?")
  const contact = reader("contacts", "id = ?")
  const conversation = reader("conversations", "workspace_id = ? AND handle = ?")
  const conversationOn = reader("conversations", "connection_id = ? AND handle = ?")
  const connection = reader("connections", "id = ?")
  const bots = lister("bots", "workspace_id = ? AND status = 'active'")
  const record = reader("idempotency", "application_id = ? AND key = ?")
  const message = reader("messages", "id = ?")
  const providerMessage = reader("providerMessages", "connection_id = ? AND provider_message_id = ?")
  const dueReceipts = lister("jobs", "lane = 'receipts' AND due_at <= ? ORDER BY due_at, id LIMIT (? + 0)")

  const token = database.prepare(`INSERT INTO buckets AS b (key, opened_at, window_ms, max_tokens, used, asked)
    SELECT 'sends:' || id, ?, 60000, sends_per_minute, ?, ? FROM applications WHERE id = ?
    ON CONFLICT (key) DO UPDATE SET
      opened_at = CASE WHEN excluded.opened_at >= b.opened_at + 60000 THEN excluded.opened_at ELSE b.opened_at END,
      used = CASE WHEN excluded.opened_at >= b.opened_at + 60000 THEN excluded.used
        ELSE max(b.used, min(excluded.max_tokens, b.used + excluded.asked)) END,
      asked = CASE WHEN excluded.opened_at >= b.opened_at + 60000 THEN excluded.asked ELSE b.used + excluded.asked END
    RETURNING asked <= max_tokens AS granted`)
  const leaseJob = database.prepare(
    "UPDATE jobs SET lease_until = ?, lease_owner = ?, epoch = epoch + 1, attempts = attempts + 1 WHERE id = ?"
  )
  const settleJob = database.prepare("DELETE FROM jobs WHERE id = ? AND epoch = ?")
  const touch = {
    contacts: database.prepare("UPDATE contacts SET last_activity_at = max(last_activity_at, ?) WHERE id = ?"),
    conversations: database.prepare(`UPDATE conversations
      SET last_activity_at = max(last_activity_at, ?), last_inbound_at = max(last_inbound_at, ?)
      WHERE id = ? AND contact_id = ? AND (? IS NULL OR (status = ? AND bot_session_id IS NULL))`)
  }
  const list = {
    facet: database.prepare(
      "INSERT INTO contact_facets (workspace_id, facet, name_key, contact_id) VALUES (?, ?, ?, ?)"
    ),
    count: database.prepare(`INSERT INTO contact_counts (workspace_id, facet, n) VALUES (?, ?, 1)
      ON CONFLICT (workspace_id, facet) DO UPDATE SET n = n + 1`),
    search: database.prepare(
      "INSERT INTO contact_search (workspace_id, name_key, contact_id, search_key) VALUES (?, ?, ?, ?)"
    )
  }
  const unfailing = database.prepare("SELECT 1 FROM endpoints WHERE id = ? AND consecutive_failures = 0")
  const insertersOf = (step: StoryStep) => insertTables[step].map((name) => [name, inserter(name)] as const)
  const inserters = {
    accept: insertersOf("accept"),
    outcome: insertersOf("outcome"),
    receipt: insertersOf("receipt"),
    attempt: insertersOf("attempt"),
    inbound: insertersOf("inbound")
  }
  const setters = {
    accept: () => {},
    outcome: setter(setColumns.outcome),
    receipt: setter(setColumns.receipt),
    attempt: setter(setColumns.attempt),
    inbound: () => {}
  }

  const writeOne = (step: StoryStep, changes: Changes): void => {
    for (const { greatest, id, table } of changes.bumps) {
      const at = greatest?.lastActivityAt
      if (table === "contacts") touch.contacts.run(at, id)
      else {
        const { contactId, status = null } = expectedConversation(changes)
        const inbound = greatest?.lastInboundAt ?? 0
        if (touch.conversations.run(at, inbound, id, contactId, status, status).changes !== 1) throw unexpected()
      }
    }
    setters[step](changes)
    for (const { key, table } of changes.expects) {
      if (table === "endpoints" && unfailing.get(key.id) === undefined) throw unexpected()
    }
    if (changes.settle !== null && settleJob.run(changes.settle.jobId, changes.settle.epoch).changes !== 1) {
      throw unexpected()
    }
    for (const [table, insert] of inserters[step]) for (const row of addedTo(table, changes)) insert(row)
    if (step !== "inbound") return
    for (const { contactId, facet, nameKey, workspaceId } of listingsOf(changes)) {
      list.facet.run(workspaceId, facet, nameKey, contactId)
      list.count.run(workspaceId, facet)
    }
    for (const { id, nameKey, searchKey, workspaceId } of addedTo("contacts", changes)) {
      list.search.run(workspaceId, nameKey, id, searchKey)
    }
  }
  const write = database.transaction((step: StoryStep, batch: ReadonlyArray<Changes>) => {
    if (step === "accept") {
      const taken = token.get(Date.now(), batch.length, batch.length, applicationId) as { readonly granted: number }
      if (taken.granted !== 1) throw new Error("The sends bucket is empty")
    }
    for (const changes of batch) writeOne(step, changes)
  })
  const lease = database.transaction(({ owner, until }: Lease, limit: number): ReadonlyArray<DueReceipt> => {
    const jobs = dueReceipts(Date.now(), limit)
    return jobs.map((job) => {
      leaseJob.run(until, owner, job.id)
      const known = providerMessage(job.subject, job.reference)
      return { job: { ...job, epoch: job.epoch + 1 }, known, message: message(known.messageId) }
    })
  })

  return {
    readSends: async (handles, keys): Promise<SendRows> => ({
      connections: connections(workspaceId),
      endpoints: endpoints(workspaceId),
      applications: applications(workspaceId),
      templates: templates(workspaceId),
      recipients: new Map(
        handles.map((handle) => [
          handle,
          { contact: contact(address(workspaceId, handle).contactId), conversation: conversation(workspaceId, handle) }
        ])
      ),
      records: new Map(
        keys.flatMap((key) => {
          const found = record(applicationId, key)
          return found === undefined ? [] : [[key, found] as const]
        })
      )
    }),
    readInbound: async (connectionId, handles, providerMessageIds): Promise<InboundRows> => ({
      connection: connection(connectionId),
      endpoints: endpoints(workspaceId),
      applications: applications(workspaceId),
      bots: bots(workspaceId),
      customers: new Map(
        handles.map((handle) => {
          const contactId = address(workspaceId, handle)?.contactId
          return [
            handle,
            {
              contact: contactId === undefined ? undefined : contact(contactId),
              conversation: conversationOn(connectionId, handle)
            }
          ]
        })
      ),
      known: new Map(
        providerMessageIds.flatMap((id) => {
          const found = providerMessage(connectionId, id)
          return found === undefined ? [] : [[id, found] as const]
        })
      )
    }),
    write: async (step, batch) => write.immediate(step, batch),
    leaseReceipts: async (given, limit) => lease.immediate(given, limit),
    close: async () => {
      database.close()
    }
  }
}
