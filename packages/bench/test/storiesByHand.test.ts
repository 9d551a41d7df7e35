import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Storage } from "@parley/core"
import { UuidIds } from "@parley/node"
import { freshPostgres } from "@parley/testkit/databases"
import { Effect } from "effect"
import { plainStory } from "../src/floor/story/plainStory.js"
import { ruledStory } from "../src/floor/story/ruledStory.js"
import { storyRunner } from "../src/floor/story/runStories.js"
import { storyOnPostgres } from "../src/floor/story/storyOnPostgres.js"
import { storyOnSqlite } from "../src/floor/story/storyOnSqlite.js"
import { messageResults } from "../src/world/messageResults.js"
import { workingEngineOn } from "../src/world/parley.js"
import type { Store } from "../src/world/Store.js"
import { seed } from "../src/world/seed.js"
import { sender } from "../src/world/send.js"

const messages = 3

const receiver = Effect.acquireRelease(
  Effect.async<ReturnType<typeof createServer>>((resume) => {
    const server = createServer((request, response) => request.resume().on("end", () => response.end()))
    server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
  }),
  (server) =>
    Effect.sync(() => {
      server.close()
      server.closeAllConnections()
    })
)

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "parley-by-hand-"))),
  (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
)

const stores = [
  ["sqlite", Effect.map(folder, (made): Store => ({ kind: "sqlite", file: join(made, "stories.db") }))],
  ["postgres", Effect.map(freshPostgres, (url): Store => ({ kind: "postgres", url }))]
] as const

/** Sends messages by the engine until no job is left. */
const byEngine = (store: Store) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const send = yield* sender
    yield* Effect.replicateEffect(send("known"), messages)
    const anyJob = storage.list({ from: "jobs", where: {}, after: null, limit: 1 })
    while ((yield* anyJob).length > 0) yield* Effect.sleep(20)
  }).pipe(Effect.provide(workingEngineOn(store)))

describe.each(stores)("whole stories by hand on %s", (_, makeStore) => {
  it.scopedLive(
    "leave what the engine leaves, with the rules and without",
    () =>
      Effect.gen(function* () {
        const { port } = (yield* receiver).address() as AddressInfo
        const seeded = Effect.tap(makeStore, (store) =>
          Effect.promise(() => seed(store, { verdictWaitMs: 0, webhookUrl: `http://127.0.0.1:${port}/` }))
        )
        const engines = yield* seeded
        yield* byEngine(engines)
        const expected = yield* Effect.promise(() => messageResults(engines))
        expect(expected).toContain(`status read, n ${messages}`)
        const ids = UuidIds.make()
        for (const rules of [ruledStory(ids), plainStory(ids)]) {
          const store = yield* seeded
          yield* Effect.promise(async () => {
            const database = store.kind === "postgres" ? await storyOnPostgres(store.url) : storyOnSqlite(store.file)
            await storyRunner(database, rules, ids)(messages, "known")
            await database.close()
          })
          expect(yield* Effect.promise(() => messageResults(store))).toBe(expected)
        }
      }),
    60_000
  )
})
