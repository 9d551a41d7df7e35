import { SqlError } from "@effect/sql/SqlError"
import { type Database, query } from "@parley/sql"
import { Effect } from "effect"
import type Pg from "pg"
import { type OpenClient, openClient } from "./openClient.js"
import { type AnyOptions, connectTimeoutOf } from "./PostgresOptions.js"
import { differing, setForRole } from "./sessionSettings.js"

const sharedUrl =
  "a pooler shares connections between transactions: set PARLEY_DATABASE_DIRECT_URL (embedded: storage.directUrl) to a URL of the same database that reaches Postgres itself, or set pool_mode = session in the pooler"
const sharedDirectUrl =
  "the direct URL reaches a pooler that shares connections between transactions: it must reach Postgres itself, or a pooler with pool_mode = session"

const unusable = (reason: string) => new SqlError({ cause: new Error(reason), message: "The pooler cannot be used" })

/**
 * Whether two open connections share a backend, or one connection changes it. Best effort: other clients of a busy
 * pooler may take the shared backend in between.
 */
const sharesBackends = async (options: AnyOptions): Promise<boolean> => {
  const opened: Array<OpenClient> = []
  const text = "SELECT pg_backend_pid() AS pid"
  const backendOf = async (client: Pg.ClientBase) => {
    const config = { text, query_timeout: connectTimeoutOf(options) }
    return (await client.query<{ pid: number }>(config)).rows[0]?.pid
  }
  try {
    for (const _ of [0, 1]) {
      const one = await openClient(options, "parley")
      one.client.on("error", () => {})
      opened.push(one)
    }
    const clients = opened.map(({ client }) => client)
    const seen = new Map<Pg.ClientBase, number | undefined>()
    for (const client of [...clients, ...clients]) {
      const backend = await backendOf(client)
      const isShared = [...seen].some(([other, pid]) => (other === client ? pid !== backend : pid === backend))
      if (isShared) return true
      seen.set(client, backend)
    }
    return false
  } finally {
    for (const { close } of opened) close()
  }
}

/**
 * Fails if a pooler shares the connections between transactions (docs/reference/running.md#poolers). The connect
 * timeout applies to each connection and query.
 */
export const requireSession = (
  options: AnyOptions,
  { isDirectUrl }: { readonly isDirectUrl: boolean }
): Effect.Effect<void, SqlError> =>
  Effect.flatMap(
    Effect.tryPromise({
      try: () => sharesBackends(options),
      catch: (cause) => new SqlError({ cause, message: "PgClient: Failed to connect" })
    }),
    (isShared) => (isShared ? unusable(isDirectUrl ? sharedDirectUrl : sharedUrl) : Effect.void)
  )

/**
 * Fails if the role of pooled connections lacks the settings, which no session can set for them
 * (docs/reference/running.md#poolers).
 */
export const requireRoleSettings = (database: Database, schema?: string): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    const rows = yield* query(database, differing(schema))
    if (rows.length === 0) return
    const [row] = yield* query(database, "SELECT current_user AS role, current_database() AS database")
    return yield* unusable(
      `the pooled connections lack ${rows.map(({ name }) => name).join(", ")}. Run, then RECONNECT in the pooler: ${setForRole(`${row?.role}`, `${row?.database}`, schema)}`
    )
  })
