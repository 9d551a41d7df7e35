import {
  AdminApiKeys,
  AdminApplications,
  AdminConnections,
  AdminWorkspaces,
  ApplicationInput,
  ConnectionInput,
  partialDecode,
  WorkspaceInput
} from "@parley/core"
import { Effect } from "effect"

/**
 * Creates the first API key of a service: a workspace, an email connection on the sandbox, and an application that may
 * use it. Call it once and store the key: it is shown only here.
 */
export const firstKey = Effect.gen(function* () {
  const workspaces = yield* AdminWorkspaces
  const connections = yield* AdminConnections
  const applications = yield* AdminApplications
  const apiKeys = yield* AdminApiKeys
  const workspace = yield* workspaces.create(partialDecode(WorkspaceInput)({ name: "Acme" }))
  const connection = yield* connections.create(
    partialDecode(ConnectionInput)({
      workspace_id: workspace.id,
      channel: "email",
      provider: "sandbox",
      name: "Desk",
      handle: "desk@acme.example"
    })
  )
  const application = yield* applications.create(
    partialDecode(ApplicationInput)({
      workspace_id: workspace.id,
      name: "Web shop",
      mode: "live",
      scopes: ["messages.send", "messages.read", "webhooks.receive"],
      connection_ids: [connection.id]
    })
  )
  return (yield* apiKeys.issue(application.id)).key
})
