import { SqlClient } from "@effect/sql/SqlClient"
import { type Lookup, Storage, StorageUnavailable, Wakeup } from "@parley/core"
import { Effect, Layer } from "effect"
import * as Commits from "./Commits.js"
import { Dialect } from "./Dialect.js"
import { historyOf } from "./history.js"
import * as JobQueue from "./JobQueue.js"
import * as Lists from "./Lists.js"
import * as Reads from "./Reads.js"
import { schemaProblem } from "./Schema.js"
import * as Statements from "./Statements.js"
import { single } from "./single.js"
import * as Tokens from "./Tokens.js"
import { withConnection } from "./Transaction.js"

/** The storage on whatever database the client and the dialect speak to; the schema must have been migrated. */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  const dialect = yield* Dialect
  const wakeup = yield* Wakeup
  const statements = Statements.make(dialect)
  const commit = yield* Commits.make(sql, dialect, statements, wakeup)
  const find = yield* Reads.make(sql, dialect, statements)
  const takeToken = yield* Tokens.make(sql, dialect)
  const p = dialect.parameter
  const run = (text: string, parameters: ReadonlyArray<unknown>) =>
    single(sql, dialect, (connection) => connection.execute(text, parameters, undefined))

  const giveBack = `UPDATE buckets SET used = used - 1 WHERE key = ${p(1)} AND opened_at = ${p(2)} AND used > 0`

  return Storage.of({
    commit,
    read: (queries) => {
      const names = Object.keys(queries)
      return Effect.map(
        find(names.map((name) => queries[name] as Lookup<any>)),
        (found) => Object.fromEntries(names.map((name, i) => [name, found[i]])) as any
      )
    },
    ...Lists.make(sql, dialect, statements),
    takeToken,
    giveBackToken: (bucket, openedAt) => Effect.asVoid(run(giveBack, [bucket, openedAt])),
    ...JobQueue.make(sql, dialect),
    purge: (table, before, limit) => {
      const { age, bound, key, name } = historyOf(table)
      const old = `SELECT ${key} FROM ${name} WHERE ${age} < ${p(1)} ORDER BY ${age} LIMIT ${p(2)}`
      return Effect.map(
        run(`DELETE FROM ${name} WHERE (${key}) IN (${old}) RETURNING 1 AS gone`, [bound(before), limit]),
        (gone) => gone.length
      )
    },
    check: Effect.gen(function* () {
      const problem = yield* schemaProblem(sql, dialect)
      if (problem !== null) return yield* new StorageUnavailable({ cause: problem })
      const [row] = yield* withConnection(sql, (connection) => connection.execute(dialect.clock, [], undefined))
      return { clock: row.clock as number }
    }).pipe(Effect.catchTag("SqlError", (cause) => Effect.fail(new StorageUnavailable({ cause }))))
  })
})

/** {@link make} as a layer. */
export const layer: Layer.Layer<Storage, never, SqlClient | Dialect | Wakeup> = Layer.scoped(Storage, make)
