import { expect, layer as provide } from "@effect/vitest"
import {
  type Changes,
  ChangesRejected,
  type CommitOutcome,
  changes,
  expect as expects,
  lookup,
  row,
  Storage,
  StorageBusy,
  StorageUnavailable,
  set
} from "@parley/core"
import { layer } from "@parley/postgres"
import { openProxy } from "@parley/testkit"
import { adminQuery } from "@parley/testkit/databases"
import { startPostgres } from "@parley/testkit/postgres"
import * as Rows from "@parley/testkit/rows"
import { makeTestIds } from "@parley/testkit/rows"
import { Cause, Context, Effect, Exit, Fiber, Layer, Redacted } from "effect"
import { foreignConnection } from "./foreignConnection.js"

/** A server that these tests may stop and restart. */
const Server = Context.GenericTag<Awaited<ReturnType<typeof startPostgres>>>("Server")
const server = Layer.scoped(
  Server,
  Effect.acquireRelease(
    Effect.promise(() => startPostgres()),
    ({ stop }) => Effect.promise(stop)
  )
)

const ids = makeTestIds(77)
const workspaceId = ids.next(1)

const open = (url: string) => Effect.map(Layer.build(layer({ url: Redacted.make(url) })), Context.get(Storage))

/** A second connection. Its statements run one after the other. */
const foreign = (url: string) =>
  Effect.map(foreignConnection(url), (client) => (text: string) => Effect.promise(() => client.query(text)))

const anEndpoint = (id: string) =>
  changes(workspaceId, { inserts: [row("endpoints", Rows.anEndpoint({ id, workspaceId }))] })
const fail = (id: string) =>
  changes(workspaceId, { bumps: [{ table: "endpoints", id, add: { consecutiveFailures: 1 } }] })
const failures = (storage: Storage, id: string) =>
  Effect.map(storage.read({ found: lookup("endpoints", { id }) }), ({ found }) => found[0]?.consecutiveFailures)

/** Commits that each claim a key and insert a message. The rows must match the reported outcomes. */
const load = (storage: Storage, count: number) => {
  const applicationId = ids.next(1)
  const send = (n: number) =>
    storage.commit(
      changes(workspaceId, {
        claims: [row("idempotency", Rows.anIdempotencyRecord({ workspaceId, applicationId, key: `${n}` }))],
        inserts: [
          row("messages", Rows.aMessage({ id: ids.next(1), workspaceId, conversationId: applicationId, body: `${n}` }))
        ]
      })
    )
  const started = Effect.forEach(
    Array.from({ length: count }, (_, n) => n),
    (n) => Effect.exit(send(n)),
    { concurrency: 20 }
  )
  const check = (exits: ReadonlyArray<Exit.Exit<CommitOutcome, unknown>>) =>
    Effect.gen(function* () {
      const { messages } = yield* storage.read({ messages: lookup("messages", { conversationId: applicationId }) })
      const there = messages.map(({ body }) => Number(body)).sort((a, b) => a - b)
      const committed = exits.flatMap((exit, n) => (Exit.isSuccess(exit) && exit.value._tag === "Committed" ? [n] : []))
      const errors = exits.flatMap((exit) => (Exit.isFailure(exit) ? [Cause.squash(exit.cause)] : []))
      const uncertain = exits.flatMap((exit, n) =>
        Exit.isFailure(exit) && (Cause.squash(exit.cause) as { _tag: string })._tag === "CommitUncertain" ? [n] : []
      )
      expect(there.filter((n) => !uncertain.includes(n))).toEqual(committed)
      return { committed, errors, uncertain }
    })
  return { started, check }
}

provide(server, { excludeTestServices: true, timeout: 120_000 })("postgres in trouble", (it) => {
  for (const when of ["before", "after"] as const) {
    it.scoped(
      `reports the outcome of a commit whose connection was cut ${when} the server had it`,
      () =>
        Effect.gen(function* () {
          const { url } = yield* Server
          const target = new URL(url)
          const proxy = yield* Effect.acquireRelease(
            Effect.promise(() => openProxy(target.hostname, Number(target.port))),
            ({ close }) => Effect.promise(close)
          )
          target.port = `${proxy.port}`
          const storage = yield* open(target.href)
          const id = ids.next(1)
          yield* storage.commit(anEndpoint(id))
          proxy.cutAt("COMMIT", when)
          expect(yield* storage.commit(fail(id))).toMatchObject({
            _tag: "Committed",
            bumped: [{ consecutiveFailures: 1 }]
          })
          expect(yield* failures(storage, id)).toBe(1)
        }),
      120_000
    )
  }

  it.scoped(
    "reports correct outcomes while its connections are killed",
    () =>
      Effect.gen(function* () {
        const { url } = yield* Server
        const storage = yield* open(url)
        const { check, started } = load(storage, 2_000)
        const running = yield* Effect.fork(started)
        const kill = adminQuery(
          url,
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'parley'"
        )
        for (let round = 0; round < 8; round++) yield* kill
        const { committed, errors } = yield* check(yield* Fiber.join(running))
        expect(committed.length).toBeGreaterThan(0)
        expect(errors.every((error) => error instanceof StorageUnavailable)).toBe(true)
      }),
    120_000
  )

  for (const mode of ["immediate", "fast"] as const) {
    it.scoped(
      `reconnects after a restart of the server (${mode}) without loss of reported commits`,
      () =>
        Effect.gen(function* () {
          const { restart, url } = yield* Server
          const storage = yield* open(url)
          const before = yield* Effect.forEach([1, 2, 3], () => Effect.succeed(ids.next(1)))
          yield* Effect.forEach(before, (id) => storage.commit(anEndpoint(id)))
          const { check, started } = load(storage, 3_000)
          const running = yield* Effect.fork(started)
          yield* Effect.promise(() => restart(mode))
          const exits = yield* Fiber.join(running)
          expect(yield* failures(storage, before[0] ?? "")).toBe(0)
          yield* check(exits)
          expect(yield* storage.commit(fail(before[1] ?? ""))).toMatchObject({ _tag: "Committed" })
        }),
      120_000
    )
  }

  it.scoped(
    "fails as unavailable without a server",
    () =>
      Effect.gen(function* () {
        const { url } = yield* Server
        const target = new URL(url)
        const proxy = yield* Effect.promise(() => openProxy(target.hostname, Number(target.port)))
        target.port = `${proxy.port}`
        const storage = yield* open(target.href)
        yield* Effect.promise(proxy.close)
        const id = ids.next(1)
        const errors = yield* Effect.all([
          Effect.flip(storage.commit(anEndpoint(id))),
          Effect.flip(storage.read({ found: lookup("endpoints", { id }) })),
          Effect.flip(storage.takeToken({ bucket: "b", limit: 1, windowMs: 1, now: 1 })),
          Effect.flip(
            storage.claimJobs({
              now: 1,
              owner: "me",
              leaseMs: 1,
              lanes: [{ lane: "sends", limit: 1, perSubject: 1, except: [] }]
            })
          ),
          Effect.flip(storage.check)
        ])
        expect(errors.map((error) => error._tag)).toEqual(errors.map(() => "StorageUnavailable"))
      }),
    120_000
  )

  it.scoped(
    "commits other rows while a row or a claim is locked, and continues after that",
    () =>
      Effect.gen(function* () {
        const { url } = yield* Server
        const storage = yield* open(url)
        const [held, free] = [ids.next(1), ids.next(1)]
        yield* storage.commit(anEndpoint(held))
        yield* storage.commit(anEndpoint(free))
        const query = yield* foreign(url)
        yield* query("BEGIN")
        yield* query(`SELECT 1 FROM endpoints WHERE id = '${held}' FOR UPDATE`)
        yield* query(`INSERT INTO tags (workspace_id, folded, name) VALUES ('${workspaceId}', 'held', 'Held')`)
        yield* query(`INSERT INTO addresses VALUES ('${workspaceId}', 'phone', '+1', '${held}')`)
        // On a busy machine the other commits may take longer than the lock timeout.
        const untilWritten = (written: Changes) =>
          Effect.fork(Effect.retry(storage.commit(written), { while: ({ _tag }) => _tag === "StorageBusy" }))
        const waiting = [
          yield* untilWritten(fail(held)),
          yield* untilWritten(
            changes(workspaceId, { claims: [row("addresses", Rows.anAddress({ workspaceId, handle: "+1" }))] })
          )
        ]
        const others = yield* Effect.forEach(Array.from({ length: 60 }), () => storage.commit(fail(free)), {
          concurrency: "unbounded"
        })
        expect(others.every(({ _tag }) => _tag === "Committed")).toBe(true)
        expect(waiting.map((fiber) => fiber.unsafePoll())).toEqual([null, null])
        yield* query("COMMIT")
        expect((yield* Effect.forEach(waiting, Fiber.join)).map(({ _tag }) => _tag)).toEqual(["Committed", "Conflict"])
        expect(yield* failures(storage, held)).toBe(1)
        expect(yield* failures(storage, free)).toBe(60)
      }),
    120_000
  )

  it.scoped(
    "reads a row with a shared lock and waits only for writers",
    () =>
      Effect.gen(function* () {
        const { url } = yield* Server
        const storage = yield* open(url)
        const [pipelineId, contactId] = [ids.next(1), ids.next(1)]
        yield* storage.commit(
          changes(workspaceId, {
            inserts: [
              row("pipelines", Rows.aPipeline({ id: pipelineId, workspaceId })),
              row("contacts", Rows.aContact({ id: contactId, workspaceId }))
            ]
          })
        )
        const present = expects("pipelines", { id: pipelineId }, { version: 1 })
        const looks = changes(workspaceId, {
          expects: [present],
          inserts: [row("leads", Rows.aLead({ id: ids.next(1), workspaceId, contactId, pipelineId }))]
        })
        const writes = changes(workspaceId, {
          expects: [present],
          sets: [set("pipelines", { id: pipelineId }, { name: "Partners" })]
        })
        const query = yield* foreign(url)
        yield* query("BEGIN")
        yield* query(`SELECT 1 FROM pipelines WHERE id = '${pipelineId}' FOR SHARE`)
        expect((yield* storage.commit(looks))._tag).toBe("Committed")
        expect(yield* Effect.flip(storage.commit(writes))).toBeInstanceOf(StorageBusy)
        yield* query("ROLLBACK")
        expect((yield* storage.commit(writes))._tag).toBe("Committed")
      }),
    120_000
  )

  it.scoped(
    "fails as busy if a row stays locked",
    () =>
      Effect.gen(function* () {
        const { url } = yield* Server
        const storage = yield* open(url)
        const id = ids.next(1)
        yield* storage.commit(anEndpoint(id))
        const query = yield* foreign(url)
        yield* query("BEGIN")
        yield* query(`SELECT 1 FROM endpoints WHERE id = '${id}' FOR UPDATE`)
        expect(yield* Effect.flip(storage.commit(fail(id)))).toBeInstanceOf(StorageBusy)
        yield* query("ROLLBACK")
        expect(yield* failures(storage, id)).toBe(0)
      }),
    120_000
  )

  it.scoped(
    "rejects only the commit with text that Postgres cannot store",
    () =>
      Effect.gen(function* () {
        const { url } = yield* Server
        const storage = yield* open(url)
        const message = (body: string) =>
          storage.commit(
            changes(workspaceId, { inserts: [row("messages", Rows.aMessage({ id: ids.next(1), workspaceId, body }))] })
          )
        const exits = yield* Effect.all(
          ["good", "bad \u0000", "good"].map((body) => Effect.exit(message(body))),
          { concurrency: "unbounded" }
        )
        expect(exits.map(Exit.isSuccess)).toEqual([true, false, true])
        expect(exits.flatMap((exit) => (Exit.isFailure(exit) ? [Cause.squash(exit.cause)] : []))[0]).toBeInstanceOf(
          ChangesRejected
        )
      }),
    120_000
  )
})
