import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit"
import { Effect, Layer } from "effect"
import * as Administration from "../../src/admin/Administration.js"
import { AdminApplications } from "../../src/admin/applications/AdminApplications.js"
import { applicationDraft } from "../../src/admin/applications/ApplicationInput.js"
import { AdminEndpoints } from "../../src/admin/endpoints/AdminEndpoints.js"
import { endpointDraft } from "../../src/admin/endpoints/EndpointInput.js"
import { AdminLeads } from "../../src/admin/leads/AdminLeads.js"
import { AdminPipelines } from "../../src/admin/pipelines/AdminPipelines.js"
import { pipelineDraft } from "../../src/admin/pipelines/PipelineInput.js"
import { contactDraft } from "../../src/contacts/ContactInput.js"
import { Contacts } from "../../src/contacts/Contacts.js"
import * as Engine from "../../src/Engine.js"
import { leadDraft, leadPatchDraft } from "../../src/leads/LeadInput.js"
import { Leads } from "../../src/leads/Leads.js"
import { engine, eventually, heard, newTenant } from "../harness.js"

const stages = [
  { key: "new", name: "New" },
  { key: "won", name: "Won" }
]
const idOf = ({ body }: { readonly body: string }): string => JSON.parse(body).data.id

for (const [name, storage] of databases) {
  const live = Layer.mergeAll(Administration.layer, Engine.worker).pipe(Layer.provideMerge(engine(storage)))
  layer(live, { excludeTestServices: true, timeout: 60_000 })(`leads on ${name}`, (it) => {
    it.effect("are heard of, made and moved, by two applications whatever their connections", () =>
      Effect.gen(function* () {
        const { application, caller, workspace } = yield* newTenant
        const sibling = yield* (yield* AdminApplications).create(
          applicationDraft({ workspace_id: workspace.id, name: "CRM", mode: "live", scopes: ["webhooks.receive"] })
        )
        const endpoints = yield* AdminEndpoints
        const urls = yield* Effect.forEach([application, sibling], ({ id }) =>
          Effect.map(
            endpoints.create(id, endpointDraft({ url: `https://${id}.example/`, events: ["*"] })),
            ({ endpoint }) => endpoint.url
          )
        )
        yield* (yield* AdminPipelines).create(pipelineDraft({ workspace_id: workspace.id, name: "Sales", stages }))
        const contact = yield* (yield* Contacts).create(caller, {
          draft: contactDraft({ email: "ada@example.org" }),
          idempotency: { key: "contact", fingerprint: "contact" }
        })
        const answer = yield* (yield* Leads).create(caller, {
          draft: leadDraft({ contact_id: idOf(contact), value: 5, currency: "eur" }),
          idempotency: { key: "lead", fingerprint: "lead" }
        })
        const lead = JSON.parse(answer.body).data
        const moved = yield* (yield* AdminLeads).update(lead.id, leadPatchDraft({ stage: "won" }))

        for (const url of urls) {
          const webhooks = yield* eventually(heard(url), (all) => all.length >= 3)
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
