import { tables } from "@parley/sql"
import { adminQuery, freshPostgres } from "@parley/testkit/databases"
import { Effect } from "effect"
import { inject } from "vitest"
import { foreignRole } from "./foreignRole.js"

/** Tables, a function and an operator of another program, with names that Parley uses. */
const decoys = [
  ...["parley_migrations", "contact_facets", "contact_counts", "contact_search", ...tables.map(({ sql }) => sql)].map(
    (name) => `CREATE TABLE IF NOT EXISTS public.${name} (theirs text)`
  ),
  "CREATE SCHEMA hostile",
  "CREATE FUNCTION hostile.hashtext(text) RETURNS int LANGUAGE sql AS 'SELECT 1 / 0'",
  "CREATE FUNCTION hostile.now() RETURNS timestamptz LANGUAGE sql AS 'SELECT (1 / 0)::text::timestamptz'",
  "CREATE FUNCTION hostile.contact_changed() RETURNS int LANGUAGE sql AS 'SELECT 1'",
  "CREATE FUNCTION hostile.equal(bigint, bigint) RETURNS boolean LANGUAGE sql AS 'SELECT false'",
  "CREATE OPERATOR hostile.= (LEFTARG = bigint, RIGHTARG = bigint, FUNCTION = hostile.equal)",
  "CREATE DOMAIN hostile.uuid AS text CHECK (VALUE = 'theirs')"
].join("; ")

/** A database that another program uses, and a role with a hostile path that may create schemas in it. */
export const sharedDatabase = Effect.gen(function* () {
  const role = yield* foreignRole(inject("postgresUrl"))
  const own = yield* freshPostgres
  const name = new URL(own).pathname.slice(1)
  yield* adminQuery(own, decoys)
  yield* adminQuery(
    own,
    `GRANT CREATE ON DATABASE ${name} TO ${role.name}; GRANT USAGE ON SCHEMA hostile TO ${role.name}`
  )
  yield* adminQuery(own, `ALTER ROLE ${role.name} IN DATABASE ${name} SET search_path = hostile, public, pg_catalog`)
  return { own, url: role.at(own), role: role.name }
})
