import type { Parley } from "@parley/embed"

/**
 * Creates the first API key of a service: a workspace, an email connection on the sandbox, and an application that may
 * use it. Call it once and store the key: it is shown only here.
 */
export const firstKey = async ({ admin }: Pick<Parley, "admin">): Promise<string> => {
  const { data: workspace } = await admin.workspaces.create({ name: "Acme" })
  const { data: connection } = await admin.connections.create({
    workspace_id: workspace.id,
    channel: "email",
    provider: "sandbox",
    name: "Desk",
    handle: "desk@acme.example"
  })
  const { data: application } = await admin.applications.create({
    workspace_id: workspace.id,
    name: "Web shop",
    mode: "live",
    scopes: ["messages.send", "messages.read", "webhooks.receive"],
    connection_ids: [connection.id]
  })
  const { data: issued } = await admin.applications.issueKey(application.id)
  return issued.key
}
