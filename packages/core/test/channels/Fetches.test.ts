import { expect, layer } from "@effect/vitest"
import { aConnection, aJob, databases, scriptedVendor } from "@parley/testkit"
import { Effect, Exit, Layer } from "effect"
import type { Connection } from "../../src/channels/Connection.js"
import * as Fetches from "../../src/channels/Fetches.js"
import { changes, row } from "../../src/ports/Changes.js"
import { type ChannelProvider, ChannelProviders, ProviderUnavailable } from "../../src/ports/ChannelProvider.js"
import { Ids } from "../../src/ports/Ids.js"
import { SecretBox, SecretUnreadable } from "../../src/ports/SecretBox.js"
import { readById, Storage } from "../../src/ports/Storage.js"
import type { Job } from "../../src/worker/Job.js"
import { engine, newTenant } from "../harness.js"

const asked: Array<string> = []

/** Its vendor never answers. */
const silent: ChannelProvider = {
  ...scriptedVendor,
  profileName: (_connection, _credentials, handle) => {
    asked.push(handle)
    return new ProviderUnavailable({ reason: "the vendor is away" })
  }
}
const providers = Layer.succeed(ChannelProviders, { byKind: new Map([[silent.kind, silent]]) })

/** Has no key that anything was sealed under. */
const locked = Layer.effect(
  SecretBox,
  Effect.map(SecretBox, (box) => ({
    ...box,
    open: () => new SecretUnreadable({ reason: "is sealed under another key" })
  }))
)

/** A job that was claimed three times, on a connection of this kind; what is left of it after it ran, and around when. */
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
    asked.length = 0
    const before = Date.now()
    const exit = yield* Effect.exit(Effect.flatMap(Fetches.Fetches, ({ run }) => run(job)))
    return { exit, job, left: yield* readById(storage, "jobs", job.id), before, after: Date.now() }
  })

/** The third pause: 2 s, 4 s, 8 s. */
const pause = 8_000

for (const [name, storage] of databases) {
  // Fresh, since the engine has fetches of its own.
  const live = Layer.fresh(Fetches.layer).pipe(Layer.provide(providers), Layer.provideMerge(engine(storage)))
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`a fetch on ${name}`, (it) => {
    const isDoneAgain = ({ after, before, job, left }: Effect.Effect.Success<ReturnType<typeof ran>>) => {
      expect(left?.payload).toEqual(job.payload)
      expect(left?.runAt).toBeGreaterThanOrEqual(before + pause)
      expect(left?.runAt).toBeLessThanOrEqual(after + pause)
    }
    it.effect("is done again later where the vendor does not answer", () =>
      Effect.map(ran({}), (done) => {
        isDoneAgain(done)
        expect(asked).toEqual(["ada"])
      })
    )
    it.effect("waits for a host that has its provider", () =>
      Effect.map(ran({ provider: "elsewhere" }), (done) => {
        isDoneAgain(done)
        expect(asked).toEqual([])
      })
    )
    it.effect("waits for credentials that can be opened", () =>
      Effect.map(ran({}), isDoneAgain).pipe(
        Effect.provide(Layer.provide(Layer.fresh(Fetches.layer), [providers, locked]))
      )
    )
    it.effect("ends with its connection", () =>
      Effect.map(ran(null), ({ exit, left }) => {
        expect(Exit.isSuccess(exit)).toBe(true)
        expect(left).toBeUndefined()
      })
    )
    it.effect("stays for a newer host where nobody knows what to do", () =>
      Effect.map(ran({}, { task: "fetch_the_moon" }), ({ exit, job, left }) => {
        expect(Exit.isFailure(exit)).toBe(true)
        expect(left).toMatchObject({ payload: job.payload, runAt: job.runAt })
      })
    )
  })
}
