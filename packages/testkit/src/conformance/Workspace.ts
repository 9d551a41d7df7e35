import type { Administration, Shown } from "./Administration.js"
import { type Caller, caller } from "./Caller.js"
import type { Inbox } from "./Receiver.js"
import { type Channel, channels, InboundMessage, scopes } from "./Resources.js"
import { shaped } from "./shaped.js"
import type { Wire } from "./Wire.js"

/** An application of the suite, and its API key. */
export interface Application {
  readonly id: string
  readonly keyId: string
  readonly key: string
  /** A client with the key. */
  readonly api: Caller
}

/** A registered webhook endpoint, and its receiver. */
export interface Endpoint extends Inbox {
  readonly id: string
  readonly secret: string
}

/** Fields of an application that differ from the defaults. */
export interface ApplicationFields {
  readonly mode?: "live" | "test"
  readonly scopes?: ReadonlyArray<string>
  readonly connection_ids?: ReadonlyArray<string>
  readonly limits?: { readonly requests_per_minute?: number; readonly sends_per_minute?: number }
}

/** A workspace of the suite. */
export interface Workspace {
  readonly workspaceId: string
  /** A sandbox connection marked as test, by channel. */
  readonly connections: { readonly [C in Channel]: string }
  /**
   * Creates a test application with every scope and connection, and limits that no test reaches, except for `fields`.
   */
  readonly application: (fields?: ApplicationFields) => Promise<Application>
  readonly connection: (channel: Channel, fields?: object) => Promise<Shown>
  readonly template: (fields: object) => Promise<Shown>
  /** Creates a published workflow that this event starts. */
  readonly workflow: (event: string) => Promise<Shown>
  /** Simulates a customer's message on a connection. */
  readonly inbound: (connectionId: string, from: string, body?: string) => Promise<typeof InboundMessage.Type>
  readonly endpoint: (application: Application, inbox: Inbox, events?: ReadonlyArray<string>) => Promise<Endpoint>
}

/** A workspace with an application that has every scope. */
export interface Tenant extends Workspace {
  readonly app: Application
}

const plenty = { requests_per_minute: 1_000_000, sends_per_minute: 1_000_000 }

/** Creates a workspace with a connection on each of these channels. */
export const makeWorkspace = async (
  wire: Wire,
  admin: Administration,
  on: ReadonlyArray<Channel> = channels
): Promise<Workspace> => {
  const { id: workspaceId } = await admin.post("/workspaces", { name: "Conformance", default_language: "en" })
  const connection: Workspace["connection"] = (channel, fields = {}) =>
    admin.post("/connections", {
      ...{ workspace_id: workspaceId, channel, provider: "sandbox", name: `Our ${channel}`, handle: `our-${channel}` },
      ...(channel === "whatsapp"
        ? { handle: "+15550009999" }
        : channel === "email"
          ? { handle: "us@shop.example" }
          : {}),
      is_test: true,
      ...fields
    })
  const application: Workspace["application"] = async (fields = {}) => {
    const { id } = await admin.post("/applications", {
      ...{ workspace_id: workspaceId, name: "Conformance", mode: "test", scopes, limits: plenty },
      connection_ids: Object.values(connections),
      ...fields
    })
    const issued = await admin.post(`/applications/${id}/api-keys`)
    const key = String(issued.key)
    return { id, keyId: issued.id, key, api: caller(wire, "/api/v1", key) }
  }
  const made = await Promise.all(on.map(async (channel) => [channel, (await connection(channel)).id] as const))
  const connections = Object.fromEntries(made) as Workspace["connections"]
  return {
    workspaceId,
    connections,
    application,
    connection,
    template: (fields) =>
      admin.post("/templates", {
        ...{ workspace_id: workspaceId, name: "greeting", channel: "whatsapp", language: "en", status: "approved" },
        body: "Hello!",
        ...fields
      }),
    workflow: async (event) => {
      const trigger = { type: "external_event", event }
      const { id } = await admin.post("/workflows", {
        workspace_id: workspaceId,
        name: event,
        trigger,
        actions: [{ type: "add_tag", tag: "told" }]
      })
      return admin.post(`/workflows/${id}/publish`)
    },
    inbound: async (connectionId, from, body = "Hi!") =>
      shaped(
        InboundMessage,
        await admin.post(`/connections/${connectionId}/simulate-inbound`, { from, body }),
        "a simulated message"
      ),
    endpoint: async ({ id }, inbox, events = ["*"]) => {
      const made = await admin.post(`/applications/${id}/webhook-endpoints`, { url: inbox.url, events })
      return { ...inbox, id: made.id, secret: String(made.secret) }
    }
  }
}
