import { expect, layer } from "@effect/vitest"
import { scriptedVendor } from "@parley/testkit"
import { databases } from "@parley/testkit/databases"
import { Effect, Logger } from "effect"
import { fetchTemplates } from "../../../src/flows/fetches/fetchTemplates.js"
import { Decider } from "../../../src/kernel/Decider.js"
import type { ProviderTemplate } from "../../../src/ports/ChannelProvider.js"
import { lookup, Storage } from "../../../src/ports/Storage.js"
import { engine, newTenant } from "../../harness.js"

const welcome: ProviderTemplate = {
  name: "welcome",
  language: "en",
  category: "utility",
  body: "Hi {{1}}",
  status: "approved"
}

/** Imports a vendor's templates. Returns the stored names, the counts and the log lines. */
const taken = (theirs: ReadonlyArray<ProviderTemplate>) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const { connection, workspace } = yield* newTenant
    const provider = { ...scriptedVendor, listTemplates: () => Effect.succeed(theirs) }
    const logged: Array<string> = []
    const log = Logger.replace(
      Logger.defaultLogger,
      Logger.make(({ message }) => void logged.push(`${message}`))
    )
    const synced = yield* fetchTemplates(storage, yield* Decider, { connection, provider, credentials: null }).pipe(
      Effect.provide(log)
    )
    const { templates } = yield* storage.read({
      templates: lookup("templates", { workspaceId: workspace.id, channel: connection.channel })
    })
    // The tenant has a template already.
    const names = templates.map(({ name }) => name).filter((name) => name !== "hello")
    return { names, synced, logged }
  })

for (const [name, storage] of databases) {
  layer(engine(storage), { excludeTestServices: true, timeout: 60_000 })(`a vendor's templates on ${name}`, (it) => {
    for (const [what, bad] of [
      ["text that cannot be stored", { body: "Hi\u0000" }],
      ["half a character", { name: "\ud800" }],
      ["a name that is too long", { name: "n".repeat(513) }],
      ["no language", { language: "" }],
      ["a body that is too long", { body: "b".repeat(4_097) }],
      ["a category that is too long", { category: "c".repeat(41) }],
      ["an unknown status", { status: "archived" as ProviderTemplate["status"] }]
    ] as const) {
      it.effect(`are imported without a template that has ${what}`, () =>
        Effect.gen(function* () {
          const { logged, names, synced } = yield* taken([{ ...welcome, name: "bad", ...bad }, welcome])
          expect(names).toEqual(["welcome"])
          expect(synced).toEqual({ created: 1, updated: 0 })
          expect(logged.filter((line) => line.startsWith("1 of 2 templates"))).toHaveLength(1)
        })
      )
    }
    it.effect("are all imported if all can be stored", () =>
      Effect.gen(function* () {
        const { logged, names } = yield* taken([welcome, { ...welcome, name: "bye", category: null }])
        expect([...names].sort()).toEqual(["bye", "welcome"])
        expect(logged).toEqual([])
      })
    )
  })
}
