import { SqlError } from "@effect/sql/SqlError"
import { Effect } from "effect"
import { contactFacets, contactSearch } from "./contactLists.js"
import { Database } from "./Database.js"
import type { Dialect } from "./Dialect.js"
import { type SchemaMismatch, verify } from "./Schema.js"
import type { Relation } from "./Tables.js"
import { CommitUnanswered, transact } from "./Transaction.js"

/** The corrections of a recount. */
export interface Recount {
  /** The number of lists whose stored count was wrong. */
  readonly wrongCounts: number
}

/** Statements that make the rows of a table equal to those of this select. Rows that are correct are not written. */
const corrections = ({ columns, sql }: Relation, select: string): ReadonlyArray<string> => {
  const names = columns.map((column) => column.sql).join(", ")
  const there = `SELECT ${names} FROM ${sql}`
  const wanted = `SELECT * FROM (${select}) AS wanted`
  return [
    `DELETE FROM ${sql} WHERE (${names}) IN (${there} EXCEPT ${wanted})`,
    `INSERT INTO ${sql} (${names}) ${wanted} EXCEPT ${there}`
  ]
}

const countWrong = `SELECT count(*) AS n FROM (
  SELECT workspace_id, facet FROM (
    SELECT workspace_id, facet, n FROM contact_counts UNION ALL SELECT workspace_id, facet, -1 FROM contact_facets
  ) AS each_one GROUP BY workspace_id, facet HAVING sum(n) <> 0
) AS wrong`

/** Rewrites the counts as one row for each list. */
const countAgain: ReadonlyArray<string> = [
  "DELETE FROM contact_counts",
  "INSERT INTO contact_counts (workspace_id, facet, n) SELECT workspace_id, facet, count(*) FROM contact_facets GROUP BY workspace_id, facet"
]

/** How long, in ms, to wait for transactions of hosts that write contacts. */
const lockTimeoutMs = 30_000

/**
 * Rebuilds the lists of contacts, their counts and the search text from the contacts. Needed after contacts were
 * changed by hand or by a host of an earlier version. Commits that write contacts wait for it, and fail as busy if
 * their lock timeout passes; reads continue.
 */
export const recountContacts = (dialect: Dialect): Effect.Effect<Recount, SchemaMismatch | SqlError, Database> =>
  Effect.gen(function* () {
    yield* verify(dialect)
    const { facets, lock, search } = dialect.contactLists
    const statement = (text: string) => ({ text, parameters: [] })
    return yield* transact(
      yield* Database,
      dialect,
      { lockTimeoutMs },
      {
        first: lock === null ? [] : [{ statements: [statement(lock)], receive: () => {} }],
        last: (session) => {
          const lists = [...corrections(contactFacets, facets), ...corrections(contactSearch, search)]
          return Effect.map(session.run([...lists, countWrong, ...countAgain].map(statement)), (found) => ({
            value: { wrongCounts: Number(found[lists.length]?.[0].n) },
            writes: []
          }))
        }
      }
    )
  }).pipe(
    Effect.catchIf(
      (error) => error instanceof CommitUnanswered,
      ({ cause }) => Effect.fail(new SqlError({ cause, message: "The connection was lost: do it again" }))
    )
  )
