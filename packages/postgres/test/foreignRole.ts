import { randomUUID } from "node:crypto"
import { adminQuery } from "@parley/testkit/databases"
import { Effect, type Scope } from "effect"

/**
 * A role without rights in the database at `url`, until the scope ends, and that URL with the role. The server drops a
 * role once its databases are gone: call it before databases are made in the same scope, with the URL of the server.
 */
export const foreignRole = (
  server: string
): Effect.Effect<{ readonly name: string; readonly at: (url: string) => string }, never, Scope.Scope> => {
  const name = `role_${randomUUID().replaceAll("-", "")}`
  return Effect.acquireRelease(
    Effect.as(adminQuery(server, `CREATE ROLE ${name} LOGIN PASSWORD 'secret'`), {
      name,
      at: (url: string) => {
        const own = new URL(url)
        own.username = name
        own.password = "secret"
        return own.href
      }
    }),
    () => Effect.ignore(adminQuery(server, `DROP ROLE ${name}`))
  )
}
