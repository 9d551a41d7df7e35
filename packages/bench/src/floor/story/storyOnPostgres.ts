import type { Bump, Changes, TableName } from "@parley/core"
import { type Column, columnsOf, type Table, tableOf } from "@parley/sql"
import Pg from "pg"
import { applicationId, workspaceId } from "../../world/seed.js"
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

Pg.types.setTypeParser(Pg.types.builtins.INT8, Number)

const types = { uuid: "uuid", text: "text", integer: "bigint", boolean: "boolean", json: "json" } as const

/** Plans by index, as the engine has them: a plan made while a table was small must not scan it once it has grown. */
const options = ["enable_seqscan=off", "enable_hashjoin=off", "enable_mergejoin=off"]
  .concat("plan_cache_mode=force_generic_plan", "jit=off")
  .map((setting) => `-c ${setting}`)
  .join(" ")

/** The columns of a row under their names in the model. */
const selected = (name: TableName, alias: string): string =>
  tableOf(name)
    .columns.map((column) => `${alias}.${column.sql} AS "${column.name}"`)
    .join(", ")
/** All rows of a query as one JSON array. */
const asJson = (query: string): string => `(SELECT coalesce(json_agg(r), '[]') FROM (${query}) AS r)`
const given = (n: number, fields: string): string => `json_to_recordset($${n}::json) AS v(${fields})`
const fieldsOf = (columns: ReadonlyArray<Column>): string =>
  columns.map(({ kind, name }) => `"${name}" ${types[kind]}`).join(", ")

const readText = `SELECT
  ${asJson(`SELECT ${selected("connections", "t")} FROM connections AS t WHERE t.workspace_id = $1`)} AS connections,
  ${asJson(`SELECT ${selected("endpoints", "t")} FROM endpoints AS t WHERE t.workspace_id = $1`)} AS endpoints,
  ${asJson(`SELECT ${selected("applications", "t")} FROM applications AS t WHERE t.workspace_id = $1`)} AS applications,
  ${asJson(`SELECT ${selected("templates", "t")} FROM templates AS t WHERE t.workspace_id = $1 AND t.channel = 'whatsapp' AND t.name = 'order_shipped'`)} AS templates,
  ${asJson(`SELECT h.value AS handle, row_to_json(c) AS contact, row_to_json(o) AS conversation
    FROM json_array_elements_text($2::json) AS h
    JOIN addresses AS a ON a.workspace_id = $1 AND a.space = 'phone' AND a.handle = h.value
    CROSS JOIN LATERAL (SELECT ${selected("contacts", "t")} FROM contacts AS t WHERE t.id = a.contact_id) AS c
    CROSS JOIN LATERAL (SELECT ${selected("conversations", "t")} FROM conversations AS t
      WHERE t.workspace_id = $1 AND t.handle = h.value) AS o`)} AS recipients,
  ${asJson(`SELECT ${selected("idempotency", "t")} FROM json_array_elements_text($3::json) AS k
    JOIN idempotency AS t ON t.application_id = $4 AND t.key = k.value`)} AS records`

const readInboundText = `SELECT
  (SELECT row_to_json(r) FROM (SELECT ${selected("connections", "t")} FROM connections AS t WHERE t.id = $1) AS r) AS connection,
  ${asJson(`SELECT ${selected("endpoints", "t")} FROM endpoints AS t WHERE t.workspace_id = $2`)} AS endpoints,
  ${asJson(`SELECT ${selected("applications", "t")} FROM applications AS t WHERE t.workspace_id = $2`)} AS applications,
  ${asJson(`SELECT ${selected("bots", "t")} FROM bots AS t WHERE t.workspace_id = $2 AND t.status = 'active'`)} AS bots,
  ${asJson(`SELECT h.value AS handle, row_to_json(c) AS contact, row_to_json(o) AS conversation
    FROM json_array_elements_text($3::json) AS h
    JOIN addresses AS a ON a.workspace_id = $2 AND a.space = 'phone' AND a.handle = h.value
    CROSS JOIN LATERAL (SELECT ${selected("contacts", "t")} FROM contacts AS t WHERE t.id = a.contact_id) AS c
    LEFT JOIN LATERAL (SELECT ${selected("conversations", "t")} FROM conversations AS t
      WHERE t.connection_id = $1 AND t.handle = h.value) AS o ON true`)} AS customers,
  ${asJson(`SELECT ${selected("providerMessages", "t")} FROM json_array_elements_text($4::json) AS k
    JOIN provider_messages AS t ON t.connection_id = $1 AND t.provider_message_id = k.value`)} AS known`

/** A crash may lose the count of tokens, so the statement does not wait for the disk. */
const tokenText = `WITH relaxed AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
INSERT INTO buckets AS b (key, opened_at, window_ms, max_tokens, used, asked)
SELECT 'sends:' || $1::text, $2::bigint, 60000, a.sends_per_minute, least(a.sends_per_minute, $3::bigint), $3::bigint
FROM relaxed CROSS JOIN applications AS a WHERE a.id = $1::uuid
ON CONFLICT (key) DO UPDATE SET
  opened_at = CASE WHEN excluded.opened_at >= b.opened_at + 60000 THEN excluded.opened_at ELSE b.opened_at END,
  used = CASE WHEN excluded.opened_at >= b.opened_at + 60000 THEN excluded.used
    ELSE greatest(b.used, least(excluded.max_tokens, b.used + excluded.asked)) END,
  asked = CASE WHEN excluded.opened_at >= b.opened_at + 60000 THEN excluded.asked ELSE b.used + excluded.asked END
RETURNING asked <= max_tokens AS granted`

const leaseText = `WITH leased AS (
    UPDATE jobs AS t SET lease_until = $2, lease_owner = $3, epoch = t.epoch + 1, attempts = t.attempts + 1
    WHERE t.id = ANY (ARRAY(
      SELECT j.id FROM jobs AS j WHERE j.lane = 'receipts' AND j.due_at <= $1 ORDER BY j.due_at, j.id LIMIT $4
      FOR NO KEY UPDATE SKIP LOCKED))
    RETURNING ${selected("jobs", "t")})
  SELECT row_to_json(leased) AS job, row_to_json(m) AS message, row_to_json(p) AS known
  FROM leased
  CROSS JOIN LATERAL (SELECT ${selected("providerMessages", "t")} FROM provider_messages AS t
    WHERE t.connection_id = leased.subject::uuid AND t.provider_message_id = leased.reference) AS p
  CROSS JOIN LATERAL (SELECT ${selected("messages", "t")} FROM messages AS t WHERE t.id = p."messageId") AS m
  ORDER BY leased."runAt"`

/** A part of a statement, and its parameter of a batch. `rows`: how many rows it must return. */
interface Part {
  readonly text: (n: number) => string
  readonly values: (batch: ReadonlyArray<Changes>) => ReadonlyArray<object>
}

const inserting = (table: Table): Part => ({
  text: (n) => {
    const names = table.columns.map(({ sql }) => sql).join(", ")
    const values = table.columns.map(({ name }) => `v."${name}"`).join(", ")
    return `INSERT INTO ${table.sql} (${names}) SELECT ${values} FROM ${given(n, fieldsOf(table.columns))} RETURNING 1`
  },
  values: (batch) => batch.flatMap((changes) => addedTo(table.name, changes).map(present))
})

/** A column that is absent from the JSON is null, and parsing fewer columns is faster. */
const present = (row: Record<string, unknown>): object => {
  const values: Record<string, unknown> = {}
  for (const name in row) if (row[name] !== null) values[name] = row[name]
  return values
}

/** Updates rows whose version is the expected one; the update locks them as the engine does. */
const setting = (table: Table, names: ReadonlyArray<string>): Part => {
  const columns = columnsOf(table, names)
  const assigned = columns.map(({ name, sql }) => `${sql} = v."${name}"`).join(", ")
  return {
    text: (n) =>
      `UPDATE ${table.sql} AS t SET ${assigned}, version = t.version + 1
      FROM ${given(n, `id uuid, expected bigint, ${fieldsOf(columns)}`)}
      WHERE t.id = v.id AND t.version = v.expected RETURNING 1`,
    values: (batch) =>
      batch.flatMap((changes) =>
        changes.sets.map(({ key, values }, i) => ({ ...key, ...values, expected: expectedVersion(changes, i) }))
      )
  }
}

/** Settles jobs that still have the epoch of their lease. */
const settling: Part = {
  text: (n) =>
    `DELETE FROM jobs AS t USING ${given(n, "id uuid, epoch bigint")} WHERE t.id = v.id AND t.epoch = v.epoch RETURNING 1`,
  values: (batch) => batch.flatMap(({ settle }) => (settle === null ? [] : [{ id: settle.jobId, epoch: settle.epoch }]))
}

/** Raises the times of contacts, once for each row of a batch, in the order of ids so that batches cannot deadlock. */
const touchingContacts: Part = {
  text: (n) =>
    `UPDATE contacts AS t SET last_activity_at = greatest(t.last_activity_at, v.at)
    FROM ${given(n, "id uuid, at bigint")} WHERE t.id = v.id RETURNING 1`,
  values: (batch) => bumped(batch, "contacts", ({ greatest, id }) => ({ id, at: greatest?.lastActivityAt }))
}

/** The same of conversations, which must have the contact and, for an inbound message, the status that was read. */
const touchingConversations: Part = {
  text: (n) =>
    `UPDATE conversations AS t SET last_activity_at = greatest(t.last_activity_at, v.at),
      last_inbound_at = greatest(t.last_inbound_at, v.inbound)
    FROM ${given(n, "id uuid, at bigint, inbound bigint, contact uuid, status text")}
    WHERE t.id = v.id AND t.contact_id = v.contact
      AND (v.status IS NULL OR (t.status = v.status AND t.bot_session_id IS NULL)) RETURNING 1`,
  values: (batch) =>
    bumped(batch, "conversations", ({ greatest, id }, changes) => {
      const { contactId, status } = expectedConversation(changes)
      return { id, at: greatest?.lastActivityAt, inbound: greatest?.lastInboundAt ?? 0, contact: contactId, status }
    })
}

/** The last bump of each row of a table, in the order of ids. */
const bumped = (
  batch: ReadonlyArray<Changes>,
  table: Bump["table"],
  rowOf: (bump: Bump, changes: Changes) => object
): ReadonlyArray<object> => {
  const rows = new Map<string, object>()
  for (const changes of batch) {
    for (const bump of changes.bumps) if (bump.table === table) rows.set(bump.id, rowOf(bump, changes))
  }
  return [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row)
}

/** The lists of new contacts, their search texts, and the length of each list. */
const listing: ReadonlyArray<Part> = [
  {
    text: (n) =>
      `INSERT INTO contact_facets (workspace_id, facet, name_key, contact_id)
      SELECT v."workspaceId", v.facet, v."nameKey", v."contactId"
      FROM ${given(n, '"workspaceId" uuid, facet text, "nameKey" text, "contactId" uuid')} RETURNING 1`,
    values: (batch) => batch.flatMap(listingsOf)
  },
  {
    text: (n) =>
      `INSERT INTO contact_search (workspace_id, name_key, contact_id, search_key)
      SELECT v."workspaceId", v."nameKey", v.id, v."searchKey"
      FROM ${given(n, '"workspaceId" uuid, "nameKey" text, id uuid, "searchKey" text')} RETURNING 1`,
    values: (batch) =>
      batch.flatMap((changes) =>
        addedTo("contacts", changes).map(({ id, nameKey, searchKey, workspaceId }) => ({
          ...{ id, nameKey, searchKey, workspaceId }
        }))
      )
  },
  {
    text: (n) =>
      `INSERT INTO contact_counts AS c (workspace_id, facet, id, n) SELECT v."workspaceId", v.facet, 1, v.n
      FROM ${given(n, '"workspaceId" uuid, facet text, n bigint')}
      ON CONFLICT (workspace_id, facet, id) DO UPDATE SET n = c.n + excluded.n RETURNING 1`,
    values: (batch) => {
      const counts = new Map<string, { readonly workspaceId: string; readonly facet: string; n: number }>()
      for (const { facet, workspaceId } of batch.flatMap(listingsOf)) {
        const known = counts.get(facet)
        if (known === undefined) counts.set(facet, { workspaceId, facet, n: 1 })
        else known.n++
      }
      return [...counts.values()]
    }
  }
]

/** Endpoints that count failures are left to the general path. They are checked and not locked. */
const checking: Part = {
  text: (n) =>
    `SELECT 1 FROM ${given(n, "id uuid")} JOIN endpoints AS t ON t.id = v.id WHERE t.consecutive_failures = 0`,
  values: (batch) => {
    const ids = new Set<string>()
    for (const { expects } of batch) for (const one of expects) if (one.table === "endpoints") ids.add(one.key.id)
    return [...ids].map((id) => ({ id }))
  }
}

const inserts = (step: StoryStep): ReadonlyArray<Part> => insertTables[step].map((name) => inserting(tableOf(name)))
const sets = (step: keyof typeof setColumns): Part => setting(tableOf(setColumns[step].table), setColumns[step].columns)

const parts: { readonly [S in StoryStep]: ReadonlyArray<Part> } = {
  accept: [touchingContacts, touchingConversations, ...inserts("accept")],
  outcome: [sets("outcome"), settling, ...inserts("outcome")],
  receipt: [sets("receipt"), settling, ...inserts("receipt")],
  attempt: [sets("attempt"), settling, checking, ...inserts("attempt")],
  inbound: [touchingContacts, touchingConversations, ...inserts("inbound"), ...listing]
}

/** One statement with all parts; it fails, and so writes nothing, if a part does not find the rows that it expects. */
const writeText = (step: StoryStep): string => {
  const count = parts[step].length
  const queries = parts[step].map((part, i) => `p${i} AS (${part.text(i + 1)})`)
  const held = parts[step].map((_, i) => `(SELECT count(*) FROM p${i}) = $${count + i + 1}`)
  return `WITH ${queries.join(", ")} SELECT 1 / (${held.join(" AND ")})::int`
}

/** A connection for each step, with statements that are prepared once. */
export const storyOnPostgres = async (url: string): Promise<StoryDatabase> => {
  const open = async () => {
    const client = new Pg.Client({ connectionString: url, options })
    await client.connect()
    return client
  }
  const [reading, tokens, leasing] = [await open(), await open(), await open()]
  const writing = {
    accept: await open(),
    outcome: await open(),
    receipt: await open(),
    attempt: await open(),
    inbound: await open()
  }
  const texts = {
    accept: writeText("accept"),
    outcome: writeText("outcome"),
    receipt: writeText("receipt"),
    attempt: writeText("attempt"),
    inbound: writeText("inbound")
  }
  return {
    readSends: async (handles, keys) => {
      const [{ rows }, taken] = await Promise.all([
        reading.query({
          name: "read",
          text: readText,
          values: [workspaceId, JSON.stringify(handles), JSON.stringify(keys), applicationId]
        }),
        tokens.query({ name: "token", text: tokenText, values: [applicationId, Date.now(), handles.length] })
      ])
      if (taken.rows[0].granted !== true) throw new Error("The sends bucket is empty")
      const [found] = rows
      return {
        ...found,
        recipients: new Map(found.recipients.map(({ handle, ...recipient }: any) => [handle, recipient])),
        records: new Map(found.records.map((record: any) => [record.key, record]))
      } satisfies SendRows
    },
    readInbound: async (connectionId, handles, providerMessageIds) => {
      const values = [connectionId, workspaceId, JSON.stringify(handles), JSON.stringify(providerMessageIds)]
      const { rows } = await reading.query({ name: "read inbound", text: readInboundText, values })
      const [found] = rows
      return {
        ...found,
        customers: new Map(
          found.customers.map(({ contact, conversation, handle }: any) => [
            handle,
            { contact, conversation: conversation ?? undefined }
          ])
        ),
        known: new Map(found.known.map((known: any) => [known.providerMessageId, known]))
      } satisfies InboundRows
    },
    write: (step, batch) => {
      const values = parts[step].map((part) => part.values(batch))
      return writing[step].query({
        name: step,
        text: texts[step],
        values: [...values.map((rows) => JSON.stringify(rows)), ...values.map((rows) => rows.length)]
      })
    },
    leaseReceipts: async ({ owner, until }: Lease, limit) => {
      const values = [Date.now(), until, owner, limit]
      const { rows } = await leasing.query<DueReceipt>({ name: "lease", text: leaseText, values })
      return rows
    },
    close: async () => {
      for (const client of [reading, tokens, leasing, ...Object.values(writing)]) await client.end()
    }
  }
}
