import Database from "better-sqlite3"
import Pg from "pg"

let statements = 0

/** How many statements this process has given its database since {@link countStatements}. */
export const statementsSoFar = (): number => statements

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
    statements += text.split(";").filter((one) => one.trim() !== "").length
    return (query as (...given: Array<any>) => any).apply(this, given)
  } as typeof query
}

/** Each time that one is run; the driver does not export what its statements are made of, but each of them has it. */
const countOnSqlite = (): void => {
  const database = new Database(":memory:")
  const prototype: Database.Statement = Object.getPrototypeOf(database.prepare("SELECT 1"))
  database.close()
  for (const way of ["run", "get", "all"] as const) {
    const carryOut = prototype[way]
    const counted = function (this: Database.Statement, ...given: Array<unknown>) {
      statements++
      return carryOut.apply(this, given)
    }
    Object.assign(prototype, { [way]: counted })
  }
}
