import type { Parley } from "parley"

/**
 * Creates the first API key of a service: a workspace, an email connection on the sandbox, and an application that may use
 * it. Call it once and store the key: it is shown only here.
 */
export const firstKey = async ({ admin }: Pick<Parley, "admin">): Promise<string> => {
  const make = async (path: string, body?: object) =>
    (await admin.request<{ data: { id: string; key: string } }>("POST", path, body)).data
  const workspace = await make("/workspaces", { name: "Acme" })
  const connection = await make("/connections", {
    workspace_id: workspace.id,
    channel: "email",
    provider: "sandbox",
    name: "Desk",
    handle: "desk@acme.example"
  })
  const application = await make("/applications", {
    workspace_id: workspace.id,
    name: "Web shop",
    mode: "live",
    scopes: ["messages.send", "messages.read", "webhooks.receive"],
    connection_ids: [connection.id]
  })
  return (await make(`/applications/${application.id}/api-keys`)).key
}
