import Database from "better-sqlite3"
import type { InTransaction, Query, Statements } from "./Query.js"

/** Immediate transactions on a file in WAL mode with `synchronous=FULL`, with statements that are prepared once. */
export const onSqlite = (file: string): InTransaction => {
  const database = new Database(file)
  database.pragma("journal_mode = WAL")
  database.pragma("synchronous = FULL")
  const prepared = new Map<string, Database.Statement>()
  const statementOf = ({ name, text }: Query): Database.Statement => {
    let statement = prepared.get(name)
    if (statement === undefined) {
      statement = database.prepare(text)
      prepared.set(name, statement)
    }
    return statement
  }
  const bound = (value: unknown) => (typeof value === "boolean" ? Number(value) : value)
  const run = database.transaction((statements: Statements<unknown>) => {
    let step = statements.next()
    while (!step.done) {
      const statement = statementOf(step.value)
      const values = step.value.values.map(bound)
      if (statement.reader) step = statements.next(statement.all(values))
      else {
        statement.run(values)
        step = statements.next([])
      }
    }
    return step.value
  })
  return async <A>(statements: Statements<A>) => run.immediate(statements) as A
}
