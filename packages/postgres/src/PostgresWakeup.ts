import { randomUUID } from "node:crypto"
import { type Lane, lanes, type Wakeup } from "@parley/core"
import { type Database, InProcessWakeup, pause, query } from "@parley/sql"
import { Effect, Queue, Runtime, type Scope } from "effect"
import { openClient } from "./openClient.js"
import type { AnyOptions } from "./PostgresOptions.js"
import { channelOf } from "./schemaNames.js"

const reconnectAfterMs = 2_000
/** Minimum interval in ms: concurrent notifications wait for each other on one lock of the server. */
const notifyIntervalMs = 10
/** Marks the names of feeds in a payload. Processes of earlier versions ignore them. */
const feedPrefix = "feed:"
/** Maximum number of feeds in one notification, of which Postgres takes 8,000 bytes. */
const maxFeeds = 300

const notification = "SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, $2)"

/** Receives the notifications of other processes until the connection is lost. */
const listen = (sessions: AnyOptions, onNotification: (payload: string) => void): Effect.Effect<void> =>
  Effect.acquireUseRelease(
    Effect.tryPromise(() => openClient(sessions, "parley listen")),
    ({ client }) =>
      Effect.async<void>((resume) => {
        const over = () => resume(Effect.void)
        client.on("error", over)
        client.on("end", over)
        client.on("notification", ({ payload }) => onNotification(payload ?? ""))
        client.query(`LISTEN ${channelOf(sessions.schema)}`).catch(over)
      }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.ignore)

/**
 * Wakeup hints by LISTEN and NOTIFY, and immediately within the process. Notifications are sent in the background: at
 * most one at a time, and lanes and feeds reported meanwhile are sent with the next one.
 */
export const make = (database: Database, sessions: AnyOptions): Effect.Effect<Wakeup, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { wakeup: local, receiveFeeds } = yield* InProcessWakeup.makeRelay
    const channel = channelOf(sessions.schema)
    const origin = randomUUID()
    const pending = new Set<Lane>()
    const pendingFeeds = new Set<string>()
    const wanted = yield* Queue.sliding<void>(1)

    const tell = Effect.gen(function* () {
      yield* Queue.take(wanted)
      const feeds = [...pendingFeeds].slice(0, maxFeeds)
      const payload = [origin, ...pending, ...feeds.map((name) => `${feedPrefix}${name}`)].join(" ")
      pending.clear()
      for (const name of feeds) pendingFeeds.delete(name)
      if (pendingFeeds.size > 0) yield* Queue.offer(wanted, undefined)
      yield* query(database, notification, [channel, payload])
      yield* pause(notifyIntervalMs)
    })
    // A lost hint costs latency, never work: workers poll as well.
    yield* Effect.forkScoped(Effect.forever(Effect.catchAllCause(tell, () => Effect.void)))

    const runSync = Runtime.runSync(yield* Effect.runtime<never>())
    const onNotification = (payload: string) => {
      const [from, ...named] = payload.split(" ")
      if (from === origin) return
      const due = lanes.filter((lane) => named.includes(lane))
      if (due.length > 0) runSync(local.notify(new Set(due)))
      const feeds = named.flatMap((name) => (name.startsWith(feedPrefix) ? [name.slice(feedPrefix.length)] : []))
      if (feeds.length > 0) runSync(receiveFeeds(new Set(feeds)))
    }
    yield* Effect.forkScoped(Effect.forever(Effect.zipRight(listen(sessions, onNotification), pause(reconnectAfterMs))))

    return {
      ...local,
      notify: (due) =>
        Effect.zipRight(
          local.notify(due),
          Effect.suspend(() => {
            for (const lane of due) pending.add(lane)
            return Queue.offer(wanted, undefined)
          })
        ),
      notifyFeeds: (names) =>
        Effect.suspend(() => {
          for (const name of names) pendingFeeds.add(name)
          return Queue.offer(wanted, undefined)
        })
    }
  })
