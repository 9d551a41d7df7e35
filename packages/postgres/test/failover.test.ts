import { describe, expect, it } from "@effect/vitest"
import { changes, lookup, row, Storage, Wakeup } from "@parley/core"
import { layer, migrate, splitHosts } from "@parley/postgres"
import { openProxy } from "@parley/testkit"
import { adminQuery } from "@parley/testkit/databases"
import { startPostgres } from "@parley/testkit/postgres"
import * as Rows from "@parley/testkit/rows"
import { makeTestIds } from "@parley/testkit/rows"
import { Context, Effect, Fiber, Layer, Queue, Redacted } from "effect"

const ids = makeTestIds(78)
const workspaceId = ids.next(1)
const anEndpoint = (id: string) =>
  changes(workspaceId, { inserts: [row("endpoints", Rows.anEndpoint({ id, workspaceId }))] })

const server = Effect.acquireRelease(
  Effect.promise(() => startPostgres()),
  ({ stop }) => Effect.promise(stop)
)

/** A URL of these servers, in this order. */
const urlOf = (...urls: ReadonlyArray<string>) =>
  `postgres://postgres:postgres@${urls.map((url) => new URL(url).host).join(",")}/postgres?target_session_attrs=read-write`

const again = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.retry(effect, { while: () => Effect.as(Effect.sleep(50), true) })

/** Waits until a standby has the tables. A query for one that is missing is a defect. */
const migrated = (standby: string) =>
  again(
    Effect.filterOrFail(adminQuery(standby, "SELECT to_regclass('endpoints') AS found"), ([row]) => row?.found !== null)
  )

describe("a URL with several hosts", () => {
  it("is split in the notation of libpq", () => {
    expect(splitHosts("postgres://parley:pass,word@a,b:5433,[::1]:5434/shop?sslmode=require")).toEqual([
      "postgres://parley:pass,word@a/shop?sslmode=require",
      "postgres://parley:pass,word@b:5433/shop?sslmode=require",
      "postgres://parley:pass,word@[::1]:5434/shop?sslmode=require"
    ])
  })

  it("is refused if it selects a server that cannot be written to, or a host is invalid", () => {
    expect(splitHosts("postgres://a,b/shop?target_session_attrs=standby")).toMatch(/must have target_session_attrs/)
    expect(splitHosts("postgres://a,b:port/shop")).toMatch(/commas separate several hosts/)
  })

  it.scopedLive("reaches the primary behind a standby, and the standby once it is promoted", () =>
    Effect.gen(function* () {
      const primary = yield* server
      const standby = yield* Effect.promise(() => primary.replicate())
      const open = Effect.flatMap(
        Layer.build(Layer.fresh(layer({ url: Redacted.make(urlOf(standby, primary.url)) }))),
        (built) => Effect.succeed({ storage: Context.get(built, Storage), wakeup: Context.get(built, Wakeup) })
      )
      const [one, other] = [yield* open, yield* open]
      const [before, after] = [ids.next(1), ids.next(1)]
      yield* one.storage.commit(anEndpoint(before))
      yield* migrated(standby)
      yield* again(
        Effect.filterOrFail(
          adminQuery(standby, `SELECT 1 FROM endpoints WHERE id = '${before}'`),
          (rows) => rows.length === 1
        )
      )

      yield* Effect.promise(primary.kill)
      yield* Effect.flip(one.storage.commit(anEndpoint(ids.next(1))))
      yield* adminQuery(standby, "SELECT pg_promote()")
      yield* again(one.storage.commit(anEndpoint(after)))
      const { found } = yield* again(other.storage.read({ found: lookup("endpoints", { workspaceId }) }))
      expect(found.map(({ id }) => id).sort()).toEqual([before, after].sort())

      const hints = yield* other.wakeup.hints
      const hint = yield* Effect.fork(Queue.take(hints))
      const repeat = Effect.forever(Effect.zipRight(one.wakeup.notify(new Set(["sends"])), Effect.sleep(50)))
      expect(yield* Effect.raceFirst(Fiber.join(hint), repeat)).toEqual(new Set(["sends"]))
    })
  )

  it.scopedLive("fails with the reason for each host if none accepts writes", () =>
    Effect.gen(function* () {
      const primary = yield* server
      const standby = yield* Effect.promise(() => primary.replicate())
      yield* Effect.promise(primary.kill)
      const error = yield* Effect.flip(Layer.build(layer({ url: Redacted.make(urlOf(primary.url, standby)) })))
      expect(`${error.cause}`).toMatch(/no host accepts writes: .*ECONNREFUSED.*; 127\.0\.0\.1:\d+ accepts no writes/)
    })
  )
})

describe("a URL with one host, behind which the primary changes", () => {
  it.scopedLive("gives up connections to a server that became read-only, and commits on the next one", () =>
    Effect.gen(function* () {
      const primary = yield* server
      const standby = yield* Effect.promise(() => primary.replicate())
      yield* migrate({ url: Redacted.make(primary.url) })
      yield* migrated(standby)
      const url = new URL(standby)
      const proxy = yield* Effect.acquireRelease(
        Effect.promise(() => openProxy(url.hostname, Number(url.port))),
        ({ close }) => Effect.promise(close)
      )
      url.port = `${proxy.port}`
      const storage = Context.get(yield* Layer.build(Layer.fresh(layer({ url: Redacted.make(url.href) }))), Storage)
      const refused = yield* Effect.all(
        [
          Effect.flip(storage.commit(anEndpoint(ids.next(1)))),
          Effect.flip(storage.takeToken({ bucket: "b", limit: 1, windowMs: 1, now: 1 })),
          Effect.flip(
            storage.claimJobs({
              now: 1,
              owner: "me",
              leaseMs: 1,
              lanes: [{ lane: "sends", limit: 1, perSubject: 1, except: [] }]
            })
          )
        ],
        { concurrency: "unbounded" }
      )
      expect(refused.map(({ _tag }) => _tag)).toEqual(refused.map(() => "StorageUnavailable"))
      yield* storage.check

      proxy.redirect(Number(new URL(primary.url).port))
      const id = ids.next(1)
      // Each try gives up the connections that it used.
      yield* Effect.retry(storage.commit(anEndpoint(id)), { times: 12 })
      expect(yield* adminQuery(primary.url, `SELECT 1 AS one FROM endpoints WHERE id = '${id}'`)).toEqual([{ one: 1 }])
    })
  )
})
