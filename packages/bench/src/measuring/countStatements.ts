import Database from "better-sqlite3"
import Pg from "pg"

/** Statements that this process has run since {@link countStatements}. */
export interface Counted {
  /** Includes BEGIN and COMMIT. */
  readonly statements: number
  /** Transactions that ended in COMMIT; a single statement does not count. */
  readonly transactions: number
}

let [statements, transactions] = [0, 0]

export const countedSoFar = (): Counted => ({ statements, transactions })

/** The difference to an earlier count, per item. */
export const countedSince = (before: Counted, count: number): Counted => ({
  statements: (statements - before.statements) / count,
  transactions: (transactions - before.transactions) / count
})

const tally = (statement: string): void => {
  statements++
  if (statement.length < 10 && statement.trim().toUpperCase() === "COMMIT") transactions++
}

/** Counts all statements from now on, on both databases. */
export const countStatements = (): void => {
  countOnPostgres()
  countOnSqlite()
}

/** Counts the statements of a text separately. */
const countOnPostgres = (): void => {
  const { query } = Pg.Client.prototype
  Pg.Client.prototype.query = function (this: Pg.Client, ...given: Array<any>) {
    const text: string = typeof given[0] === "string" ? given[0] : given[0].text
    for (const statement of text.split(";")) if (statement.trim() !== "") tally(statement)
    return (query as (...given: Array<any>) => any).apply(this, given)
  } as typeof query
}

/** Counts each run of a prepared statement. The driver does not export the class, so it is read from a statement. */
const countOnSqlite = (): void => {
  const database = new Database(":memory:")
  const prototype: Database.Statement = Object.getPrototypeOf(database.prepare("SELECT 1"))
  database.close()
  for (const way of ["run", "get", "all"] as const) {
    const run = prototype[way]
    // Without a copy of the parameters, of which there may be thousands.
    const counted = function (this: Database.Statement) {
      tally(this.source)
      // biome-ignore lint/complexity/noArguments: see above
      return run.apply(this, arguments as never)
    }
    Object.assign(prototype, { [way]: counted })
  }
}
