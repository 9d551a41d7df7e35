import { randomUUID } from "node:crypto"
import type { PgClient } from "@effect/sql-pg/PgClient"
import { type Lane, lanes, type Wakeup } from "@parley/core"
import { InProcessWakeup, pause } from "@parley/sql"
import { Effect, Queue, Redacted, Runtime, type Scope } from "effect"
import Pg from "pg"
import type { PostgresOptions } from "./PostgresOptions.js"

const channel = "parley_work"
const reconnectAfterMs = 2_000
/** Notifications wait for each other in the server, on one lock. */
const betweenNotificationsMs = 10

/** Hears what other processes tell, until the connection is lost. */
const listen = (url: string, heard: (payload: string) => void): Effect.Effect<void> =>
  Effect.acquireUseRelease(
    Effect.sync(() => new Pg.Client({ connectionString: url, application_name: "parley listen", keepAlive: true })),
    (client) =>
      Effect.async<void>((resume) => {
        const over = () => resume(Effect.void)
        client.on("error", over)
        client.on("end", over)
        client.on("notification", ({ payload }) => heard(payload ?? ""))
        client
          .connect()
          .then(() => client.query(`LISTEN ${channel}`))
          .catch(over)
      }),
    (client) => Effect.promise(() => client.end().catch(() => {}))
  )

/**
 * Hints by LISTEN and NOTIFY, and within the process at once. Telling the others happens beside the work: at most one
 * notification is under way, and what comes meanwhile goes into the next.
 */
export const make = (sql: PgClient, options: PostgresOptions): Effect.Effect<Wakeup, never, Scope.Scope> =>
  Effect.gen(function* () {
    const local = yield* InProcessWakeup.make
    const origin = randomUUID()
    const pending = new Set<Lane>()
    const wanted = yield* Queue.sliding<void>(1)

    const tell = Effect.gen(function* () {
      yield* Queue.take(wanted)
      const payload = [origin, ...pending].join(" ")
      pending.clear()
      yield* sql.unsafe("SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)", [channel, payload])
      yield* pause(betweenNotificationsMs)
    })
    // a hint that is lost costs latency, never work
    yield* Effect.forkScoped(Effect.forever(Effect.ignore(tell)))

    const runSync = Runtime.runSync(yield* Effect.runtime<never>())
    const heard = (payload: string) => {
      const [from, ...named] = payload.split(" ")
      if (from !== origin) runSync(local.notify(new Set(lanes.filter((lane) => named.includes(lane)))))
    }
    yield* Effect.forkScoped(
      Effect.forever(Effect.zipRight(listen(Redacted.value(options.url), heard), pause(reconnectAfterMs)))
    )

    return {
      notify: (due) =>
        Effect.zipRight(
          local.notify(due),
          Effect.suspend(() => {
            for (const lane of due) pending.add(lane)
            return Queue.offer(wanted, undefined)
          })
        ),
      hints: local.hints
    }
  })
