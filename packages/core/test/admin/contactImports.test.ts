import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit"
import { Effect, Layer } from "effect"
import * as Administration from "../../src/admin/Administration.js"
import { ContactImports } from "../../src/admin/contacts/ContactImports.js"
import { ImportInput } from "../../src/admin/contacts/ImportInput.js"
import { draft } from "../../src/input/Draft.js"
import { Storage } from "../../src/ports/Storage.js"
import { engine, newTenant } from "../harness.js"

const importDraft = draft(ImportInput)
const run = (
  workspace_id: string,
  contacts: ReadonlyArray<unknown>,
  more: { readonly [field: string]: unknown } = {}
) => Effect.flatMap(ContactImports, (imports) => imports.run(importDraft({ workspace_id, contacts, ...more })))
const contactsOf = (workspaceId: string) =>
  Effect.flatMap(Storage, (storage) =>
    storage.list({ from: "contacts", where: { workspaceId }, after: null, limit: 1_000 })
  )

for (const [name, storage] of databases) {
  const live = Administration.layer.pipe(Layer.provideMerge(engine(storage)))
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`an import of contacts on ${name}`, (it) => {
    it.effect("makes one contact of those that share a handle, the first of them first", () =>
      Effect.gen(function* () {
        const { workspace } = yield* newTenant
        const contacts = Array.from({ length: 200 }, (_, n) => ({
          email: `c${n % 50}@example.org`,
          first_name: `${n}`
        }))
        const { results } = yield* run(workspace.id, contacts, { on_known: "skip" })
        expect(results.map(({ index }) => index)).toEqual(contacts.map((_, index) => index))
        expect(results.map(({ result }) => result)).toEqual(
          contacts.map((_, index) => (index < 50 ? "created" : "skipped"))
        )
        const made = yield* contactsOf(workspace.id)
        expect(made.map(({ firstName }) => Number(firstName)).sort((a, b) => a - b)).toEqual(
          Array.from({ length: 50 }, (_, n) => n)
        )
        expect(results[60]?.contactId).toBe(results[10]?.contactId)
      })
    )

    it.effect("holds up no contact for another one's sake, and changes nothing the second time", () =>
      Effect.gen(function* () {
        const { workspace } = yield* newTenant
        const contacts = [
          { email: "a@example.org" },
          "nobody",
          { email: "?" },
          { phone: "+491701234567", tags: ["vip"] }
        ]
        const first = yield* run(workspace.id, contacts, { on_known: "update" })
        expect(first.results.map(({ details, result }) => [result, details])).toEqual([
          ["created", {}],
          ["refused", { contact: ["must be an object"], ...anyHandle }],
          ["refused", { email: ["must be an email address"] }],
          ["created", {}]
        ])
        const again = yield* run(workspace.id, contacts, { on_known: "update" })
        expect(again.results.map(({ result }) => result)).toEqual(["unchanged", "refused", "refused", "unchanged"])
        expect(again.results[0]?.contactId).toBe(first.results[0]?.contactId)
      })
    )

    it.effect("that is a dry run tells the same and writes nothing", () =>
      Effect.gen(function* () {
        const { workspace } = yield* newTenant
        const contacts = [
          { email: "a@example.org" },
          { email: "A@example.org", phone: "+491701234567" },
          { phone: "x" }
        ]
        const rehearsed = yield* run(workspace.id, contacts, { dry_run: true, on_known: "update" })
        expect(rehearsed).toMatchObject({
          dryRun: true,
          results: [
            { result: "created", contactId: null },
            { result: "updated", contactId: null },
            { result: "refused", details: { phone: [expect.any(String)] } }
          ]
        })
        expect(yield* contactsOf(workspace.id)).toEqual([])
        const carriedOut = yield* run(workspace.id, contacts, { on_known: "update" })
        expect(carriedOut.results.map(({ result }) => result)).toEqual(rehearsed.results.map(({ result }) => result))
        expect(yield* contactsOf(workspace.id)).toMatchObject([{ email: "a@example.org", phone: "+491701234567" }])
      })
    )

    it.effect("is refused as a whole where its workspace or its shape is wrong", () =>
      Effect.gen(function* () {
        const nobody = "01900000-0000-7000-8000-00000000dead"
        expect(yield* Effect.flip(run(nobody, [], { on_known: "replace" }))).toMatchObject({
          details: {
            workspace_id: ["must be the id of a workspace"],
            contacts: ["must have 1 to 500 items"],
            on_known: ["must be one of skip, update"]
          }
        })
      })
    )
  })
}

const words = ["is required unless another of email, phone and identities is given"]
const anyHandle = { email: words, phone: words, identities: words }
