import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { administer, administerInVain, adminToken, Hosts, hosts } from "../hosts.js"

const newWorkspace = administer(201, "POST", "/workspaces", { name: "Bakery" })
const unknownId = "01900000-0000-7000-8000-00000000dead"
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

for (const [name, live] of hosts()) {
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`the contacts of the admin API on ${name}`, (it) => {
    it.effect("are searched in order of name, page by page", () =>
      Effect.gen(function* () {
        const { id: workspace_id } = yield* newWorkspace
        const other = yield* newWorkspace
        const create = (first_name: string, more: object = {}) =>
          administer(201, "POST", "/contacts", {
            workspace_id,
            first_name,
            email: `${first_name}@example.org`,
            ...more
          })
        const eve = yield* create("Eve", { company: "Analytical Engines", tags: ["vip"] })
        const ada = yield* create("Ada", { phone: "+49 170 1234567", tags: ["VIP"] })
        const bob = yield* create("Bob")
        yield* administer(201, "POST", "/contacts", {
          workspace_id: other.id,
          first_name: "Ada",
          phone: "+49301234567"
        })
        const { one } = yield* Hosts
        const page = (query: string) =>
          Effect.map(one("GET", `/admin/v1/contacts/search?${query}`, { token: adminToken }), ({ json }): any => json)
        const search = (query: string) => Effect.map(page(`workspace_id=${workspace_id}${query}`), ({ data }) => data)
        expect(yield* search("")).toEqual([ada, bob, eve])
        expect(yield* search("&search=engines")).toEqual([eve])
        expect(yield* search("&search=170-123")).toEqual([ada])
        expect(yield* search("&tag=vip&lifecycle_stage=lead")).toEqual([ada, eve])
        expect(yield* search("&tag=unknown")).toEqual([])
        expect(yield* search("&channel=phone")).toEqual([ada])
        const first = yield* page(`workspace_id=${workspace_id}&limit=2`)
        expect([first.data, first.meta.has_more]).toEqual([[ada, bob], true])
        const next = new URL(first.links.next).searchParams
        const second = yield* page(next.toString())
        expect([second.data, second.meta.has_more, second.links.next]).toEqual([[eve], false, null])
        next.set("search", "e")
        expect(yield* administerInVain("GET", `/contacts/search?${next}`)).toMatchObject([
          422,
          "validation_failed",
          { cursor: expect.anything() }
        ])
        expect(yield* administerInVain("GET", "/contacts/search?search=ada")).toEqual([
          422,
          "validation_failed",
          { workspace_id: ["is required"] }
        ])
      })
    )
    it.effect("are created, shown with all their data, found by handle and changed", () =>
      Effect.gen(function* () {
        const { id: workspace_id } = yield* newWorkspace
        yield* administer(201, "POST", "/custom-fields", { workspace_id, key: "size", type: "number", label: "Size" })
        const made = yield* administer(201, "POST", "/contacts", {
          workspace_id,
          first_name: "Ada",
          email: "Ada@example.org",
          timezone: "Europe/London",
          custom_fields: { size: 38 }
        })
        expect(made).toEqual({
          id: made.id,
          workspace_id,
          first_name: "Ada",
          last_name: null,
          name: "Ada",
          company: null,
          job_title: null,
          email: "ada@example.org",
          phone: null,
          country: null,
          city: null,
          language: null,
          timezone: "Europe/London",
          lifecycle_stage: "lead",
          opted_out: false,
          marketing_opted_out: false,
          last_activity_at: time,
          created_at: time,
          identities: [{ channel: "email", handle: "ada@example.org", display_name: null }],
          tags: [],
          custom_fields: { size: 38 }
        })
        const path = `/contacts/${made.id}`
        expect(yield* administer(200, "GET", path)).toEqual(made)
        const changes = { tags: ["vip"], custom_fields: { size: null }, opted_out: true }
        expect(yield* administer(200, "PATCH", path, changes)).toEqual({ ...made, ...changes, custom_fields: {} })

        const second = yield* administer(201, "POST", "/contacts", { workspace_id, phone: "+49 170 1234567" })
        const listed = (query: string) => administer(200, "GET", `/contacts?workspace_id=${workspace_id}${query}`)
        expect((yield* listed("")).map(({ id }: { readonly id: string }) => id)).toEqual([second.id, made.id])
        expect(yield* listed("&handle=%2B49(170)1234567")).toEqual([second])
        expect(yield* listed("&handle=%2B491701234567&channel=whatsapp")).toEqual([second])
        expect(yield* listed("&handle=ada@example.org&channel=telegram")).toEqual([])
        expect(yield* administerInVain("GET", "/contacts?handle=a@b.org")).toMatchObject([
          422,
          "validation_failed",
          { workspace_id: ["is required with handle"] }
        ])
        expect(yield* administerInVain("GET", `/contacts?workspace_id=${workspace_id}&channel=email`)).toMatchObject([
          422,
          "validation_failed",
          { handle: ["is required with channel"] }
        ])
        const message = ["belongs to another contact"]
        expect(yield* administerInVain("PATCH", path, { phone: "+491701234567" })).toEqual([
          409,
          "identity_already_claimed",
          { phone: message, contact_id: second.id }
        ])
        expect(yield* administerInVain("POST", "/contacts", { workspace_id, email: "ada@example.org" })).toEqual([
          422,
          "validation_failed",
          { email: message, contact_id: made.id }
        ])
        expect(yield* administerInVain("POST", "/contacts", { workspace_id: unknownId, email: "x@y.org" })).toEqual([
          422,
          "validation_failed",
          { workspace_id: ["must be the id of a workspace"] }
        ])
      })
    )

    it.effect("are merged and erased", () =>
      Effect.gen(function* () {
        const { id: workspace_id } = yield* newWorkspace
        const create = (email: string) => administer(201, "POST", "/contacts", { workspace_id, email })
        const [one, other] = [yield* create("one@example.org"), yield* create("other@example.org")]
        const merged = yield* administer(200, "POST", `/contacts/${one.id}/merge`, { contact_id: other.id })
        expect(merged).toMatchObject({ id: one.id, email: "one@example.org", identities: [{}, other.identities[0]] })
        const gone = [404, "not_found", {}]
        expect(yield* administerInVain("GET", `/contacts/${other.id}`)).toEqual(gone)
        expect(yield* administerInVain("POST", `/contacts/${one.id}/merge`, { contact_id: other.id })).toMatchObject([
          422,
          "validation_failed",
          { contact_id: ["must be the id of a contact of the same workspace"] }
        ])
        expect(yield* administerInVain("POST", `/contacts/${unknownId}/merge`, { contact_id: one.id })).toEqual(gone)
        expect(yield* administer(200, "DELETE", `/contacts/${one.id}`)).toEqual(merged)
        expect(yield* administerInVain("DELETE", `/contacts/${one.id}`)).toEqual(gone)
        expect((yield* create("other@example.org")).id).not.toBe(one.id)
      })
    )

    it.effect("are imported independently of each other", () =>
      Effect.gen(function* () {
        const { id: workspace_id } = yield* newWorkspace
        const contacts = [{ email: "a@example.org" }, { email: "b" }, { email: "A@example.org", first_name: "A" }]
        const report = yield* administer(200, "POST", "/contacts/import", {
          workspace_id,
          contacts,
          on_known: "update"
        })
        const contact_id = report.results[0].contact_id
        expect(report).toEqual({
          dry_run: false,
          results: [
            { index: 0, result: "created", contact_id, details: {} },
            { index: 1, result: "refused", contact_id: null, details: { email: ["must be an email address"] } },
            { index: 2, result: "updated", contact_id, details: {} }
          ]
        })
      })
    )
  })
}
