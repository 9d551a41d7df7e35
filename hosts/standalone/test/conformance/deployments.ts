import type { Deployment } from "@parley/testkit/conformance"
import { freshPostgres } from "@parley/testkit/databases"
import { Effect, Exit, Scope } from "effect"
import { afterAll } from "vitest"
import { listening, outcomeOf, parley, temporaryFolder } from "../processes.js"

const adminToken = "an-admin-token-for-conformance"

/** What the processes of one deployment share. */
const settings = (folder: string): { readonly [name: string]: string } => ({
  PARLEY_ADMIN_TOKEN: adminToken,
  PARLEY_SECRET_KEY: Buffer.alloc(32, 1).toString("base64"),
  PARLEY_DATA_DIR: folder,
  PARLEY_DEMO: "false",
  PARLEY_PORT: "0",
  PARLEY_WEBHOOK_ALLOW: "127.0.0.0/8",
  PARLEY_WEBHOOK_ALLOW_HTTP: "true"
})

// However slow the machine is.
const deployment = (baseUrls: ReadonlyArray<string>): Deployment => ({ baseUrls, adminToken, timeout: 120_000 })

/** One process that does everything, on SQLite. */
export const onSqlite = Effect.gen(function* () {
  const host = yield* parley(["serve"], settings(yield* temporaryFolder))
  return deployment([yield* listening(host)])
})

/** One process that does everything, on a Postgres database of its own. */
export const onPostgres = Effect.gen(function* () {
  const environment = { ...settings(yield* temporaryFolder), PARLEY_DATABASE_URL: yield* freshPostgres }
  return deployment([yield* listening(yield* parley(["serve"], environment))])
})

/** Two processes that answer and two that work, on one Postgres database. */
export const spread = Effect.gen(function* () {
  const environment = { ...settings(yield* temporaryFolder), PARLEY_DATABASE_URL: yield* freshPostgres }
  const migrated = yield* outcomeOf(["migrate"], environment)
  if (migrated.code !== 0) return yield* Effect.die(new Error(migrated.output))
  const hosts = yield* Effect.all([parley(["http"], environment), parley(["http"], environment)])
  yield* Effect.all([parley(["worker"], environment), parley(["worker"], environment)])
  return deployment(yield* Effect.forEach(hosts, listening))
})

/** Starts it when it is asked for, and stops it after the file's tests. */
export const started = <E>(starting: Effect.Effect<Deployment, E, Scope.Scope>): (() => Promise<Deployment>) => {
  const scope = Effect.runSync(Scope.make())
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)), 120_000)
  return () => Effect.runPromise(Scope.extend(starting, scope))
}
