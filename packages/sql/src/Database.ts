import type { SqlError } from "@effect/sql/SqlError"
import { Context, Effect } from "effect"

/** A statement with its parameters. */
export interface Statement {
  readonly text: string
  readonly parameters: ReadonlyArray<unknown>
  /** Whether the write need not be durable: a power failure may undo it. Postgres' statements say so in their text. */
  readonly relaxed?: true
}

/** The rows of a statement, as the driver returns them. */
export type Rows = ReadonlyArray<any>

/** One connection of the database, which nothing else uses meanwhile. */
export interface Session {
  /**
   * Runs statements in order and returns the rows of each. A driver that pipelines sends all of them at once. Fails
   * with the first failure; in a transaction, the statements behind it have no effect.
   */
  readonly run: (statements: ReadonlyArray<Statement>) => Effect.Effect<ReadonlyArray<Rows>, SqlError>
}

/** The connections of a database. A port of this package: Postgres and SQLite implement it. */
export interface Database {
  /** Uses a connection of the pool. Uninterruptible, so that no connection returns with an open statement. */
  readonly withSession: <A, E>(use: (session: Session) => Effect.Effect<A, E>) => Effect.Effect<A, E | SqlError>
}
export const Database = Context.GenericTag<Database>("@parley/sql/Database")

/** Runs one statement on a connection of its own, and returns its rows. */
export const query = (
  { withSession }: Database,
  text: string,
  parameters: Statement["parameters"] = []
): Effect.Effect<Rows, SqlError> =>
  Effect.map(
    withSession((session) => session.run([{ text, parameters }])),
    ([rows = []]) => rows
  )

/** Statements of one purpose, and what receives the rows of each. */
export interface Step {
  readonly statements: ReadonlyArray<Statement>
  readonly receive: (found: ReadonlyArray<Rows>) => void
}

/** Runs the statements of all steps in one round trip, where the driver pipelines. */
export const runSteps = (session: Session, steps: ReadonlyArray<Step>): Effect.Effect<void, SqlError> =>
  Effect.map(session.run(steps.flatMap(({ statements }) => statements)), (found) => {
    let from = 0
    for (const { receive, statements } of steps) {
      receive(found.slice(from, from + statements.length))
      from += statements.length
    }
  })
