import { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { derivedIdAt } from "@parley/core"
import { Clock, Effect } from "effect"

/** The names of the accounts of connections that are not disconnected. Vendors' ids are in the config of Meta's. */
const names = `SELECT provider, channel, 'handle' AS space, handle AS name, workspace_id, id, status
    FROM connections WHERE status <> 'disconnected' AND provider <> 'sandbox'
  UNION ALL SELECT provider, channel, 'vendor', CASE
      WHEN provider = 'whatsapp' THEN config ->> 'phone_number_id'
      WHEN channel = 'instagram' THEN config ->> 'instagram_account_id'
      ELSE config ->> 'page_id' END, workspace_id, id, status
    FROM connections WHERE status <> 'disconnected' AND provider IN ('whatsapp', 'messenger')`

const claim = `INSERT INTO accounts (provider, channel, space, name, workspace_id, connection_id)
  SELECT provider, channel, space, name, workspace_id, id FROM (${names}) AS n WHERE name IS NOT NULL
  ORDER BY CASE status WHEN 'active' THEN 0 ELSE 1 END, id
  ON CONFLICT DO NOTHING`

/** The connections that did not get their account, with the connection that got it. */
const shared = `SELECT n.id, n.workspace_id AS workspace, c.name AS name, min(CAST(a.connection_id AS text)) AS holder,
    max(CASE WHEN a.workspace_id = n.workspace_id THEN 1 ELSE 0 END) AS same
  FROM (${names}) AS n
  JOIN accounts AS a ON a.provider = n.provider AND a.channel = n.channel AND a.space = n.space AND a.name = n.name
  JOIN connections AS c ON c.id = n.id
  WHERE a.connection_id <> n.id
  GROUP BY n.id, n.workspace_id, c.name ORDER BY n.id`

interface Shared {
  readonly id: string
  readonly workspace: string
  readonly name: string
  readonly holder: string
  readonly same: number | bigint | string
}

/**
 * For the migration that creates `accounts`: gives each account to the oldest active connection that has it, else to
 * the oldest paused one, and notifies the administrators of the other connections, which keep working
 * (docs/reference/channels.md#accounts).
 */
export const claimAccounts: Effect.Effect<void, SqlError, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe(claim)
  const now = yield* Clock.currentTimeMillis
  for (const { holder, id, name, same, workspace } of yield* sql.unsafe<Shared>(shared)) {
    // Another tenant's connection is not named.
    const other = Number(same) === 1 ? `the connection ${holder}` : "a connection of another workspace"
    const message =
      `The connection ${name} has the same account as ${other}. Both keep working, but the vendor's messages may ` +
      "arrive at either. Disconnect one of them, such as this one: " +
      `\`parley connection update ${id} --status disconnected\`.`
    const kind = "connection.account_shared"
    yield* sql`INSERT INTO notifications (id, workspace_id, application_id, kind, subject_id, message, created_at)
      VALUES (${derivedIdAt(now, `${kind} ${id}`)}, ${workspace}, NULL, ${kind}, ${id}, ${message}, ${now})`
  }
})
