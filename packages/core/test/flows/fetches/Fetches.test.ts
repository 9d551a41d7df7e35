import { expect, layer } from "@effect/vitest"
import { scriptedVendor } from "@parley/testkit"
import { databases } from "@parley/testkit/databases"
import { aConnection, aJob } from "@parley/testkit/rows"
import { Effect, Exit, Layer } from "effect"
import * as Fetches from "../../../src/flows/fetches/Fetches.js"
import type { Connection } from "../../../src/model/Connection.js"
import type { Job } from "../../../src/model/Job.js"
import { changes, expect as expected, row, set } from "../../../src/ports/Changes.js"
import { type ChannelProvider, ChannelProviders, ProviderUnavailable } from "../../../src/ports/ChannelProvider.js"
import { Ids } from "../../../src/ports/Ids.js"
import { SecretBox, SecretUnreadable } from "../../../src/ports/SecretBox.js"
import { readById, Storage } from "../../../src/ports/Storage.js"
import { channelProviders } from "../../../src/resources/channels/channelProviders.js"
import { engine, newTenant } from "../../harness.js"

const requests: Array<string> = []
/** Happens during a poll. */
let meanwhile: (connection: Connection) => Effect.Effect<unknown, ProviderUnavailable> = () => Effect.void

/** A provider whose vendor is unavailable. */
const silent: ChannelProvider = {
  ...scriptedVendor,
  poll: (connection) => Effect.as(meanwhile(connection), { events: [], cursor: null, againInMs: 60_000 }),
  profileName: (_connection, _credentials, handle) => {
    requests.push(handle)
    return new ProviderUnavailable({ reason: "the vendor is away" })
  }
}
const providers = Layer.succeed(ChannelProviders, channelProviders([silent]))

/** A secret box without the key of any secret. */
const locked = Layer.effect(
  SecretBox,
  Effect.map(SecretBox, (box) => ({
    ...box,
    open: () => new SecretUnreadable({ reason: "is sealed under another key" })
  }))
)

/** Runs a job of this connection at its third claim. Returns the job afterwards and the time span of the run. */
const ran = (given: Partial<Connection> | null, payload: Job["payload"] = { task: "fetch_profile", handle: "ada" }) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const ids = yield* Ids
    const { workspace } = yield* newTenant
    const next = () => ids.next(Date.now())
    const connection = aConnection({
      id: next(),
      workspaceId: workspace.id,
      channel: "telegram",
      provider: silent.kind,
      credentials: "{}",
      ...given
    })
    const job = aJob({
      id: next(),
      workspaceId: workspace.id,
      lane: "fetches",
      subject: connection.id,
      reference: next(),
      payload,
      attempts: 3,
      createdAt: Date.now()
    })
    const inserts = [row("jobs", job), ...(given === null ? [] : [row("connections", connection)])]
    yield* storage.commit(changes(workspace.id, { inserts }))
    requests.length = 0
    const before = Date.now()
    const exit = yield* Effect.exit(Effect.flatMap(Fetches.Fetches, ({ run }) => run(job)))
    return { exit, job, left: yield* readById(storage, "jobs", job.id), before, after: Date.now() }
  })

/** The third delay of 2 s, 4 s, 8 s. */
const pause = 8_000

for (const [name, storage] of databases) {
  // Fresh, because the engine contains this layer too.
  const live = Layer.effect(Fetches.Fetches, Fetches.make).pipe(
    Layer.provide(providers),
    Layer.provideMerge(engine(storage))
  )
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`a fetch on ${name}`, (it) => {
    const isDoneAfter =
      (pause: number, failing = {}) =>
      ({ after, before, job, left }: Effect.Effect.Success<ReturnType<typeof ran>>) => {
        expect(left?.payload).toEqual({ ...job.payload, ...failing })
        expect(left?.runAt).toBeGreaterThanOrEqual(before + pause)
        expect(left?.runAt).toBeLessThanOrEqual(after + pause)
      }
    const isDoneAgain = isDoneAfter(pause)
    it.effect("is retried later if the vendor does not answer", () =>
      Effect.map(ran({}), (done) => {
        isDoneAfter(pause, { failingSince: expect.any(Number), reason: "the vendor is away" })(done)
        expect(requests).toEqual(["ada"])
      })
    )
    it.effect("keeps the time of the first failure", () =>
      Effect.map(
        ran({}, { task: "fetch_profile", handle: "ada", failingSince: Date.now() - 1_000, reason: "the network" }),
        isDoneAfter(pause, { reason: "the vendor is away" })
      )
    )
    it.effect("waits for a host with its provider", () =>
      Effect.map(ran({ provider: "elsewhere" }), (done) => {
        isDoneAgain(done)
        expect(requests).toEqual([])
      })
    )
    it.effect("waits for credentials that can be decrypted", () =>
      Effect.map(ran({}), (done) => {
        isDoneAgain(done)
        expect(done.left?.failure).toMatchObject({
          lane: "fetches",
          count: 0,
          error: "its connection's credentials cannot be opened: is sealed under another key"
        })
      }).pipe(Effect.provide(Layer.provide(Layer.effect(Fetches.Fetches, Fetches.make), [providers, locked])))
    )
    it.effect("of a message's files needs no credentials", () =>
      Effect.map(ran({}, { task: "fetch_message_files", to: "ada", connectionId: null }), ({ left }) =>
        expect(left).toBeUndefined()
      ).pipe(Effect.provide(Layer.provide(Layer.effect(Fetches.Fetches, Fetches.make), [providers, locked])))
    )
    it.effect("that recurs counts its failures from its last success", () =>
      Effect.gen(function* () {
        const { job, left } = yield* ran({}, { task: "poll" })
        expect(left?.payload).toMatchObject({ task: "poll", settled: job.attempts })
        isDoneAfter(2_000)(yield* ran({ provider: "elsewhere" }, { task: "poll", settled: 2 }))
      })
    )
    for (const fails of [false, true])
      it.effect(`that recurs is executed again if settings are changed while it runs${fails ? " and fails" : ""}`, () =>
        Effect.gen(function* () {
          const store = yield* Storage
          meanwhile = ({ id, version, workspaceId }) =>
            Effect.orDie(
              store.commit(
                changes(workspaceId, {
                  expects: [expected("connections", { id }, { version })],
                  sets: [set("connections", { id }, { config: {} })]
                })
              )
            ).pipe(Effect.zipRight(fails ? new ProviderUnavailable({ reason: "the vendor is away" }) : Effect.void))
          const { exit, job, left } = yield* ran({}, { task: "poll" })
          expect(Exit.isSuccess(exit)).toBe(true)
          // Its lease ends soon.
          expect(left).toEqual(job)
        }).pipe(Effect.ensuring(Effect.sync(() => (meanwhile = () => Effect.void))))
      )
    it.effect("ends if its connection was deleted", () =>
      Effect.map(ran(null), ({ exit, left }) => {
        expect(Exit.isSuccess(exit)).toBe(true)
        expect(left).toBeUndefined()
      })
    )
    it.effect("leaves an unknown task in the queue for a newer host", () =>
      Effect.map(ran({}, { task: "fetch_the_moon" }), ({ exit, job, left }) => {
        expect(Exit.isFailure(exit)).toBe(true)
        expect(left).toMatchObject({ payload: job.payload, runAt: job.runAt })
      })
    )
  })
}
