import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Effect, Layer } from "effect"
import * as Administration from "../../../src/administration/Administration.js"
import * as Engine from "../../../src/Engine.js"
import { AdminEndpoints } from "../../../src/flows/webhooks/AdminEndpoints.js"
import { decodeEndpointInput } from "../../../src/flows/webhooks/EndpointInput.js"
import { AdminApplications } from "../../../src/resources/access/AdminApplications.js"
import { decodeApplicationInput } from "../../../src/resources/access/ApplicationInput.js"
import { decodeContactInput } from "../../../src/resources/contacts/ContactInput.js"
import { Contacts } from "../../../src/resources/contacts/Contacts.js"
import { AdminLeads } from "../../../src/resources/leads/AdminLeads.js"
import { AdminPipelines } from "../../../src/resources/leads/AdminPipelines.js"
import { decodeLeadInput, decodeLeadPatch } from "../../../src/resources/leads/LeadInput.js"
import { Leads } from "../../../src/resources/leads/Leads.js"
import { decodePipelineInput } from "../../../src/resources/leads/PipelineInput.js"
import { engine, eventually, newTenant, received } from "../../harness.js"

const stages = [
  { key: "new", name: "New" },
  { key: "won", name: "Won" }
]
const idOf = ({ body }: { readonly body: string }): string => JSON.parse(body).data.id

for (const [name, storage] of databases) {
  const live = Layer.mergeAll(Administration.layer, Engine.worker).pipe(Layer.provideMerge(engine(storage)))
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`leads on ${name}`, (it) => {
    it.effect("are reported to two applications with any connections when created and moved", () =>
      Effect.gen(function* () {
        const { application, caller, workspace } = yield* newTenant
        const sibling = yield* (yield* AdminApplications).create(
          decodeApplicationInput({
            workspace_id: workspace.id,
            name: "CRM",
            mode: "live",
            scopes: ["webhooks.receive"]
          })
        )
        const endpoints = yield* AdminEndpoints
        const urls = yield* Effect.forEach([application, sibling], ({ id }) =>
          Effect.map(
            endpoints.create(id, decodeEndpointInput({ url: `https://${id}.example/`, events: ["*"] })),
            ({ endpoint }) => endpoint.url
          )
        )
        yield* (yield* AdminPipelines).create(
          decodePipelineInput({ workspace_id: workspace.id, name: "Sales", stages })
        )
        const contact = yield* (yield* Contacts).create(caller, {
          decoded: decodeContactInput({ email: "ada@example.org" }),
          idempotency: { key: "contact", fingerprint: "contact" }
        })
        const answer = yield* (yield* Leads).create(caller, {
          decoded: decodeLeadInput({ contact_id: idOf(contact), value: 5, currency: "eur" }),
          idempotency: { key: "lead", fingerprint: "lead" }
        })
        const lead = JSON.parse(answer.body).data
        const moved = yield* (yield* AdminLeads).update(lead.id, decodeLeadPatch({ stage: "won" }))

        for (const url of urls) {
          const webhooks = yield* eventually(received(url), (all) => all.length >= 3)
          const dataOf = (type: string) =>
            webhooks.filter(({ event }) => event.type === type).map(({ event }) => event.data)
          expect(webhooks).toHaveLength(3)
          expect(dataOf("lead.created")).toEqual([{ lead }])
          const updated_at = new Date(moved.updatedAt).toISOString()
          expect(dataOf("lead.stage_changed")).toEqual([
            { lead: { ...lead, stage: "won", updated_at }, from_stage: "new", to_stage: "won" }
          ])
          expect(webhooks.every(({ event }) => !("external_reference" in event))).toBe(true)
        }
      })
    )
  })
}
