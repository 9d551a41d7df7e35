import { SqlError } from "@effect/sql/SqlError"
import { type Database, query, Schema } from "@parley/sql"
import { Effect } from "effect"
import { dialectIn } from "./dialect.js"

const unusable = (reason: string) => new SqlError({ cause: new Error(reason), message: "The schema cannot be used" })

const rights = `SELECT n.oid IS NOT NULL AS there, has_schema_privilege(n.oid, 'USAGE') AS usable,
  has_schema_privilege(n.oid, 'CREATE') AS writable, has_database_privilege(current_database(), 'CREATE') AS creatable,
  quote_ident(current_user) AS role, quote_ident(current_database()) AS database
FROM (VALUES ($1)) AS s(name) LEFT JOIN pg_namespace AS n ON n.nspname = s.name`

/**
 * Fails, with what to do, if the schema is missing or the role lacks rights in it. Without this check, Postgres would
 * look for the tables as if the path did not name the schema. `forMigrations`: creates a missing schema, and requires
 * the right to create tables if migrations are missing.
 */
export const requireSchema = (
  database: Database,
  schema: string,
  { forMigrations }: { readonly forMigrations: boolean }
): Effect.Effect<void, SqlError> =>
  Effect.gen(function* () {
    const [found] = yield* query(database, rights, [schema])
    const role = `the role ${found?.role}`
    const grant = (rights: string) =>
      `run, as the owner of the schema or a superuser: GRANT ${rights} ON SCHEMA "${schema}" TO ${found?.role}`
    if (!found?.there) {
      if (!forMigrations) {
        return yield* unusable(
          `there is no schema "${schema}". The migrations create it: run them (\`parley migrate\`; embedded: migrate)`
        )
      }
      if (!found?.creatable) {
        return yield* unusable(
          `there is no schema "${schema}", and ${role} may not create it. Run, as a superuser: CREATE SCHEMA "${schema}" AUTHORIZATION ${found?.role}`
        )
      }
      yield* query(database, `CREATE SCHEMA IF NOT EXISTS "${schema}"`)
      return
    }
    if (!found.usable) return yield* unusable(`${role} may not use the schema "${schema}": ${grant("USAGE, CREATE")}`)
    if (!forMigrations || found.writable) return
    const problem = yield* Schema.schemaProblem(database, dialectIn(schema))
    if (problem !== null && problem.found < problem.wanted) {
      return yield* unusable(
        `its migrations are missing, and ${role} may not create tables in the schema "${schema}": ${grant("CREATE")}`
      )
    }
  })
