import {
  AdminApiKeys,
  AdminApplications,
  AdminConnections,
  AdminPipelines,
  AdminTemplates,
  AdminWorkspaces,
  ApplicationInput,
  type Channel,
  ConnectionInput,
  PipelineInput,
  partialDecode,
  scopes,
  TemplateInput,
  WorkspaceInput
} from "@parley/core"
import { Effect } from "effect"
import type { DemoFile } from "./DemoFile.js"

/** The business's own handle on each channel. */
const handles: { readonly [C in Channel]: string } = {
  whatsapp: "+15550100100",
  telegram: "parley_demo_bot",
  email: "hello@demo.example",
  webchat: "demo.example",
  instagram: "parley.demo",
  facebook: "parley.demo"
}

export const demoTemplate = {
  name: "order_shipped",
  channel: "whatsapp",
  language: "en",
  category: "utility",
  body: "Hello {{1}}, your order {{2}} is on its way.",
  status: "approved"
} as const

/** The pipeline of the demo. */
const demoPipeline = {
  name: "Sales",
  stages: [
    { key: "new", name: "New" },
    { key: "contacted", name: "Contacted" },
    { key: "offer", name: "Offer made" },
    { key: "won", name: "Won" },
    { key: "lost", name: "Lost" }
  ]
}

/**
 * Creates a workspace with a test application that has all scopes, a sandbox connection for each channel, an approved
 * template (docs/reference/running.md#demo), and a pipeline for leads.
 */
export const makeDemo = Effect.gen(function* () {
  const workspace = yield* (yield* AdminWorkspaces).create(
    partialDecode(WorkspaceInput)({ name: "Demo", default_language: "en" })
  )
  const workspace_id = workspace.id
  const connections = yield* AdminConnections
  const made = yield* Effect.forEach(Object.entries(handles), ([channel, handle]) =>
    connections.create(
      partialDecode(ConnectionInput)({
        workspace_id,
        channel,
        provider: "sandbox",
        name: `Demo ${channel}`,
        handle,
        is_test: true
      })
    )
  )
  const application = yield* (yield* AdminApplications).create(
    partialDecode(ApplicationInput)({
      workspace_id,
      name: "Demo shop",
      mode: "test",
      scopes,
      connection_ids: made.map(({ id }) => id)
    })
  )
  yield* (yield* AdminTemplates).create(partialDecode(TemplateInput)({ workspace_id, ...demoTemplate }))
  yield* (yield* AdminPipelines).create(partialDecode(PipelineInput)({ workspace_id, ...demoPipeline }))
  const { key } = yield* (yield* AdminApiKeys).issue(application.id)
  return {
    api_key: key,
    application_id: application.id,
    workspace_id,
    connections: Object.fromEntries(made.map(({ channel, id }) => [channel, id]))
  } satisfies Partial<DemoFile>
})
