import { randomUUID } from "node:crypto"
import type { PgClient } from "@effect/sql-pg/PgClient"
import { type Lane, lanes, type Wakeup } from "@parley/core"
import { InProcessWakeup, pause } from "@parley/sql"
import { Effect, Queue, Redacted, Runtime, type Scope } from "effect"
import Pg from "pg"
import { type Hosts, makeHosts } from "./Hosts.js"
import { connectTimeoutOf, type PostgresOptions } from "./PostgresOptions.js"

const channel = "parley_work"
const reconnectAfterMs = 2_000
/** Minimum interval in ms: concurrent notifications wait for each other on one lock of the server. */
const notifyIntervalMs = 10

/** Receives the notifications of other processes until the connection is lost. */
const listen = (hosts: Hosts, onNotification: (payload: string) => void): Effect.Effect<void> =>
  Effect.acquireUseRelease(
    Effect.map(
      Effect.tryPromise(hosts.writable),
      (url) => new Pg.Client({ connectionString: url, application_name: "parley listen", keepAlive: true })
    ),
    (client) =>
      Effect.async<void>((resume) => {
        const over = () => {
          hosts.forget()
          resume(Effect.void)
        }
        client.on("error", over)
        client.on("end", over)
        client.on("notification", ({ payload }) => onNotification(payload ?? ""))
        client
          .connect()
          .then(() => client.query(`LISTEN ${channel}`))
          .catch(over)
      }),
    (client) => Effect.promise(() => client.end().catch(() => {}))
  ).pipe(Effect.ignore)

/**
 * Wakeup hints by LISTEN and NOTIFY, and immediately within the process. Notifications are sent in the background: at
 * most one at a time, and lanes reported meanwhile are sent with the next one.
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
      yield* pause(notifyIntervalMs)
    })
    // A lost hint costs latency, never work: workers poll as well.
    yield* Effect.forkScoped(Effect.forever(Effect.ignore(tell)))

    const runSync = Runtime.runSync(yield* Effect.runtime<never>())
    const onNotification = (payload: string) => {
      const [from, ...named] = payload.split(" ")
      if (from !== origin) runSync(local.notify(new Set(lanes.filter((lane) => named.includes(lane)))))
    }
    const hosts = makeHosts(Redacted.value(options.directUrl ?? options.url), connectTimeoutOf(options))
    yield* Effect.forkScoped(Effect.forever(Effect.zipRight(listen(hosts, onNotification), pause(reconnectAfterMs))))

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
