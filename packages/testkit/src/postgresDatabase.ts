import { randomUUID } from "node:crypto"
import { Effect, type Scope } from "effect"
import { adminQuery } from "./adminQuery.js"

const nameIn = (url: string): string => new URL(url).pathname.slice(1)

/**
 * Creates a database on the Postgres at `server` that exists as long as the scope. Returns its URL. It is a copy of the
 * database at `original`, to which nothing may be connected, or empty.
 */
export const postgresDatabase = (server: string, original?: string): Effect.Effect<string, never, Scope.Scope> => {
  const own = new URL(server)
  own.pathname = `test_${randomUUID().replaceAll("-", "")}`
  const name = nameIn(own.href)
  const template = original === undefined ? "template1" : nameIn(original)
  return Effect.acquireRelease(
    Effect.as(adminQuery(server, `CREATE DATABASE ${name} TEMPLATE ${template}`), own.href),
    () => Effect.ignore(adminQuery(server, `DROP DATABASE ${name} WITH (FORCE)`))
  )
}
