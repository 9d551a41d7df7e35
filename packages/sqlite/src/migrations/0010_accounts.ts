import { SqlClient } from "@effect/sql/SqlClient"
import { claimAccounts } from "@parley/sql"
import { Effect } from "effect"

const table = `CREATE TABLE accounts (
  provider TEXT NOT NULL,
  channel TEXT NOT NULL,
  space TEXT NOT NULL,
  name TEXT NOT NULL,
  workspace_id TEXT NOT NULL,
  connection_id TEXT NOT NULL,
  PRIMARY KEY (provider, channel, space, name)
) STRICT, WITHOUT ROWID`

/** One connection for each account of a vendor. Connections were looked up by their handle before. */
export const accounts = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe(table)
  yield* claimAccounts
  yield* sql.unsafe("DROP INDEX connections_provider_channel_handle")
})
