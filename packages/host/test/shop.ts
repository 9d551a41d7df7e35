import { SandboxProvider } from "@parley/channel-sandbox"
import { createParley, type Parley, type ParleyOptions } from "../src/index.js"

const scopes = ["messages.send", "messages.read", "contacts.read", "contacts.write", "webhooks.receive"]

/** Options of tests: logs errors only. */
export const quiet: ParleyOptions = {
  storage: { url: "sqlite::memory:" },
  channels: [SandboxProvider],
  logLevel: "warn"
}

/** A workspace with an email connection, an application and its key. */
export const makeShop = async ({ admin }: Parley) => {
  const make = async (path: string, body?: object) =>
    (await admin.request<{ data: { id: string; key: string } }>("POST", path, body)).data
  const workspace = await make("/workspaces", { name: "Acme" })
  const desk = { channel: "email", provider: "sandbox", name: "Desk", handle: "desk@acme.example" }
  const connection = await make("/connections", { workspace_id: workspace.id, ...desk })
  const application = await make("/applications", {
    workspace_id: workspace.id,
    name: "Shop",
    mode: "live",
    scopes,
    connection_ids: [connection.id]
  })
  const { key } = await make(`/applications/${application.id}/api-keys`)
  return { apiKey: key, applicationId: application.id, workspaceId: workspace.id }
}

/** Runs a test with its own engine, closed afterwards. */
export const withParley = async (
  options: Partial<ParleyOptions>,
  test: (parley: Parley) => Promise<void>
): Promise<void> => {
  const parley = await createParley({ ...quiet, ...options })
  try {
    await test(parley)
  } finally {
    await parley.close()
  }
}

export const email = (to: string) => ({
  channel: "email" as const,
  to,
  type: "text" as const,
  message: { subject: "Hi", body: "Hello" }
})

/** `POST /messages` as a fetch request. */
export const sending = (apiKey: string, to: string, base = "http://acme.example"): Request =>
  new Request(`${base}/api/v1/messages`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${apiKey}`,
      "content-type": "application/json",
      "idempotency-key": crypto.randomUUID()
    },
    body: JSON.stringify(email(to))
  })

/** Holds up a part of a test until another one opens it. */
export const gate = () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), opened }
}
