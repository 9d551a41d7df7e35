import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { anApplication } from "@parley/testkit/rows"
import { Effect, Layer } from "effect"
import * as Administration from "../../../src/administration/Administration.js"
import { partialDecode } from "../../../src/kernel/input/PartialDecode.js"
import { Storage } from "../../../src/ports/Storage.js"
import { AdminContacts } from "../../../src/resources/contacts/AdminContacts.js"
import { ContactImports } from "../../../src/resources/contacts/ContactImports.js"
import { decodeContactListQuery } from "../../../src/resources/contacts/ContactListQuery.js"
import { Contacts } from "../../../src/resources/contacts/Contacts.js"
import { ImportInput } from "../../../src/resources/contacts/ImportInput.js"
import { decodeMergeInput } from "../../../src/resources/contacts/MergeInput.js"
import { engine, newTenant } from "../../harness.js"
import { interruptedReads } from "../../interruptedReads.js"

const decodeImport = partialDecode(ImportInput)
const run = (
  workspace_id: string,
  contacts: ReadonlyArray<unknown>,
  more: { readonly [field: string]: unknown } = {}
) => Effect.flatMap(ContactImports, (imports) => imports.run(decodeImport({ workspace_id, contacts, ...more })))
const contactsOf = (workspaceId: string) =>
  Effect.flatMap(Storage, (storage) =>
    storage.list({ from: "contacts", where: { workspaceId }, after: null, limit: 1_000 })
  )

for (const [name, storage] of databases) {
  const live = Administration.layer.pipe(Layer.provideMerge(engine(storage)))
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`an import of contacts on ${name}`, (it) => {
    it.effect("creates one contact from rows that share a handle, by the first row", () =>
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

    it.effect("imports each contact independently, and changes nothing when repeated", () =>
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

    it.effect("gives contacts that are created at the same time with a new tag its first spelling", () =>
      Effect.gen(function* () {
        const { workspace } = yield* newTenant
        const variants = ["Spring26", "spring26", "SPRING26"]
        const contacts = Array.from({ length: 90 }, (_, n) => ({
          email: `c${n}@example.org`,
          tags: [variants[n % 3], `Only ${n}`]
        }))
        yield* run(workspace.id, contacts)
        const made = yield* contactsOf(workspace.id)
        expect(made).toHaveLength(90)
        expect(new Set(made.map(({ tags }) => tags[0])).size).toBe(1)
        const decoded = decodeContactListQuery({ tag: "spring26" })
        const caller = { application: anApplication(), workspace, scopes: [], credentialId: workspace.id }
        expect((yield* (yield* Contacts).list(caller, decoded)).total).toBe(90)
      })
    )

    it.effect("as a dry run reports the same results and writes nothing", () =>
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
        const completed = yield* run(workspace.id, contacts, { on_known: "update" })
        expect(completed.results.map(({ result }) => result)).toEqual(rehearsed.results.map(({ result }) => result))
        expect(yield* contactsOf(workspace.id)).toMatchObject([{ email: "a@example.org", phone: "+491701234567" }])
      })
    )

    it.effect("is refused as a whole if its workspace or its shape is invalid", () =>
      Effect.gen(function* () {
        const unknownId = "01900000-0000-7000-8000-00000000dead"
        expect(yield* Effect.flip(run(unknownId, [], { on_known: "replace" }))).toMatchObject({
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

const message = ["is required unless another of email, phone and identities is given"]
const anyHandle = { email: message, phone: message, identities: message }

for (const [name, storage] of databases) {
  const { once, over } = interruptedReads((lookups) => Object.values(lookups).some((one) => one?.from === "addresses"))
  const live = Administration.layer.pipe(Layer.provideMerge(engine(over(storage))))
  layer(live, { excludeTestServices: true, timeout: 60_000 })(
    `an import of a contact that changes between two reads on ${name}`,
    (it) => {
      const email = "ada@example.org"
      const withEmail = (workspaceId: string, address: string) =>
        Effect.map(run(workspaceId, [{ email: address }]), ({ results }) => results[0]?.contactId ?? "")

      it.effect("creates the contact if it is erased", () =>
        Effect.gen(function* () {
          const { workspace } = yield* newTenant
          const erased = yield* withEmail(workspace.id, email)
          const contacts = yield* AdminContacts
          once.meanwhile = Effect.orDie(contacts.erase(erased))
          const { results } = yield* run(workspace.id, [{ email, company: "Acme" }], { on_known: "update" })
          expect(results).toMatchObject([{ result: "created", details: {} }])
          expect(yield* contactsOf(workspace.id)).toMatchObject([{ email, company: "Acme" }])
        })
      )

      it.effect("updates the contact that it is merged into", () =>
        Effect.gen(function* () {
          const { workspace } = yield* newTenant
          const other = yield* withEmail(workspace.id, email)
          const kept = yield* withEmail(workspace.id, "kept@example.org")
          const contacts = yield* AdminContacts
          once.meanwhile = Effect.orDie(contacts.merge(kept, decodeMergeInput({ contact_id: other })))
          const { results } = yield* run(workspace.id, [{ email, company: "Acme" }], { on_known: "update" })
          expect(results).toMatchObject([{ result: "updated", contactId: kept }])
          expect(yield* contactsOf(workspace.id)).toMatchObject([{ id: kept, company: "Acme" }])
        })
      )
    }
  )
}
