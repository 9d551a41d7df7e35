import { expect, it } from "@effect/vitest"
import { changes, row, Storage } from "@parley/core"
import { layer } from "@parley/postgres"
import { freshPostgres } from "@parley/testkit/databases"
import { anEndpoint, everyContact, makeTestIds } from "@parley/testkit/rows"
import { Context, Effect, Fiber, Layer, Redacted } from "effect"
import { foreignConnection } from "./foreignConnection.js"

const ids = makeTestIds(79)

/** A storage whose lists of contacts wait until the returned effect is run. */
const slowLists = (maxConnections: number) =>
  Effect.gen(function* () {
    const url = yield* freshPostgres
    const built = yield* Layer.build(layer({ url: Redacted.make(url), maxConnections }))
    const locking = yield* foreignConnection(url)
    yield* Effect.promise(() => locking.query("BEGIN; LOCK TABLE contacts IN ACCESS EXCLUSIVE MODE"))
    return { storage: Context.get(built, Storage), goOn: Effect.promise(() => locking.query("ROLLBACK")) }
  })

it.scopedLive("leave connections for commits, reads and tokens", () =>
  Effect.gen(function* () {
    const { goOn, storage } = yield* slowLists(3)
    const workspaceId = ids.next(1)
    const list = storage.listContacts(everyContact(workspaceId), { offset: 0, limit: 1 })
    const lists = yield* Effect.fork(Effect.replicateEffect(list, 20, { concurrency: "unbounded" }))
    yield* Effect.yieldNow()
    const endpoint = anEndpoint({ id: ids.next(1), workspaceId })
    expect(yield* storage.commit(changes(workspaceId, { inserts: [row("endpoints", endpoint)] }))).toMatchObject({
      _tag: "Committed"
    })
    expect(yield* storage.takeToken({ bucket: "b", limit: 1, windowMs: 1, now: 1 })).toMatchObject({ granted: true })
    expect(lists.unsafePoll()).toBe(null)
    yield* goOn
    expect(yield* Fiber.join(lists)).toHaveLength(20)
  })
)

it.scopedLive("of one workspace leave a place to those of another", () =>
  Effect.gen(function* () {
    const { goOn, storage } = yield* slowLists(4)
    const [busy, other] = [ids.next(1), ids.next(1)]
    const list = storage.listContacts(everyContact(busy), { offset: 0, limit: 1 })
    const lists = yield* Effect.fork(Effect.replicateEffect(list, 20, { concurrency: "unbounded" }))
    yield* Effect.yieldNow()
    const templates = storage.listTemplates(
      { workspaceId: other, language: null, status: null },
      { offset: 0, limit: 1 }
    )
    expect(yield* templates).toEqual({ rows: [], total: 0 })
    expect(lists.unsafePoll()).toBe(null)
    yield* goOn
    expect(yield* Fiber.join(lists)).toHaveLength(20)
  })
)

it.scopedLive("of one workspace do not make those of another wait for all of them", () =>
  Effect.gen(function* () {
    const { goOn, storage } = yield* slowLists(3)
    const [busy, other] = [ids.next(1), ids.next(1)]
    const ended: Array<string> = []
    const lists = yield* Effect.fork(
      Effect.forEach(
        [...Array.from({ length: 10 }, () => busy), other],
        (workspaceId) =>
          Effect.zipRight(
            storage.listContacts(everyContact(workspaceId), { offset: 0, limit: 1 }),
            Effect.sync(() => ended.push(workspaceId))
          ),
        { concurrency: "unbounded" }
      )
    )
    yield* Effect.yieldNow()
    yield* goOn
    yield* Fiber.join(lists)
    // One has begun when the other's arrives.
    expect(ended.indexOf(other)).toBeLessThan(3)
  })
)
