import { SqlClient } from "@effect/sql/SqlClient"
import { claimAccounts } from "@parley/sql"
import { Effect } from "effect"

const table = `CREATE TABLE accounts (
  provider text NOT NULL,
  channel text NOT NULL,
  space text NOT NULL,
  name text NOT NULL,
  workspace_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  PRIMARY KEY (provider, channel, space, name)
)`

/** One connection for each account of a vendor. Connections were looked up by their handle before. */
export const accounts = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.unsafe(table)
  yield* claimAccounts
  yield* sql.unsafe("DROP INDEX connections_provider_channel_handle")
})
