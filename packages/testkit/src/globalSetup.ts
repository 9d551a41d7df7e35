import * as Postgres from "@parley/postgres"
import { Effect, Exit, Redacted, Scope } from "effect"
import type { TestProject } from "vitest/node"
import type {} from "./databases.js"
import { postgresDatabase } from "./postgresDatabase.js"
import { startPostgres } from "./startPostgres.js"

/**
 * Provides Postgres to the suites: the server in `PARLEY_TEST_DATABASE_URL`, or a new one; and on it a migrated
 * database to copy.
 */
export default async function setup(project: TestProject) {
  const given = process.env.PARLEY_TEST_DATABASE_URL
  const server = given ? { url: given, stop: async () => {} } : await startPostgres()
  const scope = Effect.runSync(Scope.make())
  const original = await Effect.runPromise(Scope.extend(postgresDatabase(server.url), scope))
  await Effect.runPromise(Postgres.migrate({ url: Redacted.make(original) }))
  project.provide("postgresUrl", server.url)
  project.provide("migratedPostgresUrl", original)
  return async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await server.stop()
  }
}
