import Database from "better-sqlite3"
import Pg from "pg"

/** What this process has given its database since {@link countStatements}. */
export interface Counted {
  /** BEGIN and COMMIT among them. */
  readonly statements: number
  /** Of those that end in COMMIT; a statement on its own is none. */
  readonly transactions: number
}

let [statements, transactions] = [0, 0]

export const countedSoFar = (): Counted => ({ statements, transactions })

/** For each of so many things, what came after an earlier count. */
export const countedSince = (before: Counted, count: number): Counted => ({
  statements: (statements - before.statements) / count,
  transactions: (transactions - before.transactions) / count
})

const tally = (statement: string): void => {
  statements++
  if (statement.trim().toUpperCase() === "COMMIT") transactions++
}

/** Counts every statement from now on, on either database. */
export const countStatements = (): void => {
  countOnPostgres()
  countOnSqlite()
}

/** Those apart that are sent in one text. */
const countOnPostgres = (): void => {
  const { query } = Pg.Client.prototype
  Pg.Client.prototype.query = function (this: Pg.Client, ...given: Array<any>) {
    const text: string = typeof given[0] === "string" ? given[0] : given[0].text
    for (const statement of text.split(";")) if (statement.trim() !== "") tally(statement)
    return (query as (...given: Array<any>) => any).apply(this, given)
  } as typeof query
}

/** Each time that one is run; the driver does not export what its statements are made of, but each of them has it. */
const countOnSqlite = (): void => {
  const database = new Database(":memory:")
  const prototype: Database.Statement = Object.getPrototypeOf(database.prepare("SELECT 1"))
  database.close()
  for (const way of ["run", "get", "all"] as const) {
    const run = prototype[way]
    const counted = function (this: Database.Statement, ...given: Array<unknown>) {
      tally(this.source)
      return run.apply(this, given)
    }
    Object.assign(prototype, { [way]: counted })
  }
}
