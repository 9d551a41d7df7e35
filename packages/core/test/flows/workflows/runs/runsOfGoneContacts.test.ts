import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Effect, Layer } from "effect"
import * as Administration from "../../../../src/administration/Administration.js"
import * as Engine from "../../../../src/Engine.js"
import type { Changes } from "../../../../src/ports/Changes.js"
import { lookup, readById, Storage } from "../../../../src/ports/Storage.js"
import { AdminContacts } from "../../../../src/resources/contacts/AdminContacts.js"
import { decodeContactInput } from "../../../../src/resources/contacts/ContactInput.js"
import { Contacts } from "../../../../src/resources/contacts/Contacts.js"
import { decodeMergeInput } from "../../../../src/resources/contacts/MergeInput.js"
import { isQuiet, tablesWith } from "../../../erasure/everyRow.js"
import { engine, eventually, newTenant, type Tenant } from "../../../harness.js"
import { heldCommits } from "../../../heldCommits.js"
import { action, publish, ship } from "./published.js"

const newContact = ({ caller }: Tenant, phone: string) =>
  Effect.gen(function* () {
    const decoded = decodeContactInput({ phone })
    const { body } = yield* (yield* Contacts).create(caller, { decoded, idempotency: { key: phone, fingerprint: "" } })
    return JSON.parse(body).data.id as string
  })

/** Waits until the job of a merged or erased contact is done. */
const afterwards = (contactId: string) =>
  Effect.flatMap(Storage, (storage) => eventually(readById(storage, "jobs", contactId), (job) => job === undefined))

const carriesRunOn = ({ sets }: Changes): boolean => sets.some(({ table }) => table === "workflowRuns")
const tag = action({ type: "add_tag", tag: "Shipped" })
const notify = action({ type: "notify", message: "It is shipped." })
const quiet = ({ workspace }: Tenant) => eventually(isQuiet(workspace.id), (holds) => holds)

for (const [name, storage] of databases) {
  const held = heldCommits()
  const live = Engine.worker.pipe(
    Layer.provideMerge(Administration.layer),
    Layer.provideMerge(engine(held.over(storage)))
  )
  layer(live, { excludeTestServices: true, timeout: 60_000 })(
    `a run whose contact changes concurrently on ${name}`,
    (it) => {
      it.effect("has no effect once the contact is erased", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { caller, workspace } = tenant
          const contactId = yield* newContact(tenant, "+491700000001")
          yield* publish(workspace.id, [notify, tag])
          const erase = Effect.zipRight(
            Effect.flatMap(AdminContacts, (contacts) => contacts.erase(contactId)),
            afterwards(contactId)
          )
          yield* held.during(ship(caller, contactId, "order-1"), carriesRunOn, 1, erase)
          yield* quiet(tenant)
          const { notifications, runs } = yield* (yield* Storage).read({
            notifications: lookup("notifications", { workspaceId: workspace.id }),
            runs: lookup("workflowRuns", { workspaceId: workspace.id })
          })
          expect([notifications, runs]).toEqual([[], []])
          expect(yield* tablesWith(contactId, ["idempotency.body"])).toEqual(["auditLog"])
        })
      )

      it.effect("changes the contact that its contact was merged into, once", () =>
        Effect.gen(function* () {
          const tenant = yield* newTenant
          const { caller, workspace } = tenant
          const kept = yield* newContact(tenant, "+491700000002")
          const other = yield* newContact(tenant, "+491700000003")
          yield* publish(workspace.id, [notify, tag])
          const merge = Effect.zipRight(
            Effect.flatMap(AdminContacts, (contacts) => contacts.merge(kept, decodeMergeInput({ contact_id: other }))),
            afterwards(kept)
          )
          yield* held.during(ship(caller, other, "order-2"), carriesRunOn, 1, merge)
          yield* quiet(tenant)
          const { contacts, notifications, runs } = yield* (yield* Storage).read({
            contacts: lookup("contacts", { id: kept }),
            notifications: lookup("notifications", { workspaceId: workspace.id }),
            runs: lookup("workflowRuns", { workspaceId: workspace.id })
          })
          expect(runs).toMatchObject([{ contactId: kept, status: "completed" }])
          expect(notifications).toHaveLength(1)
          expect(contacts).toMatchObject([{ id: kept, tags: ["Shipped"] }])
        })
      )
    }
  )
}
