import type { AddressInfo } from "node:net"
import { SandboxProvider } from "@parley/channel-sandbox"
import {
  Administration,
  allowAll,
  ChannelProviders,
  channelProviders,
  Engine,
  engineSettings,
  HttpSender,
  type OutboundRequest,
  scopes
} from "@parley/core"
import { adminModule, makeInterpreter, nodeServer, publicModule } from "@parley/http"
import { LogNotifier, MemoryBlobs, UuidIds } from "@parley/node"
import { sqlite } from "@parley/testkit/databases"
import { plainSecretBox } from "@parley/testkit/services"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import type { ApiKeyAccess, OAuthAccess } from "../src/index.js"

export const adminToken = "admin-token"

/** A service with one application on SQLite, behind a real socket. */
export interface Host {
  readonly byKey: ApiKeyAccess
  readonly byClient: OAuthAccess
  readonly webhookSecret: string
  readonly connections: { readonly [channel: string]: string }
  /** Calls the admin API; returns `data`. */
  readonly admin: (method: string, path: string, body?: object) => Promise<any>
  /** Waits for a webhook of this type. */
  readonly webhook: (type: string) => Promise<OutboundRequest>
  readonly stop: () => Promise<void>
}

export const startHost = async (): Promise<Host> => {
  const received = webhooks()
  const runtime = ManagedRuntime.make(engine(received.take))
  const server = await runtime.runPromise(
    Effect.gen(function* () {
      const administration = yield* adminModule(Redacted.make(adminToken))
      return yield* nodeServer(yield* makeInterpreter({ modules: [yield* publicModule, administration] }))
    })
  )
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const admin: Host["admin"] = async (method, path, body) => {
    const response = await fetch(`${baseUrl}/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const answer = await response.json()
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
    return (answer as { readonly data: unknown }).data
  }
  return {
    admin,
    webhook: received.first,
    ...(await makeApplication(baseUrl, admin)),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await runtime.dispose()
    }
  }
}

const makeApplication = async (baseUrl: string, admin: Host["admin"]) => {
  const { id: workspace_id } = await admin("POST", "/workspaces", { name: "Bakery", default_language: "en" })
  const connection = async (channel: string, handle: string) => {
    const body = { workspace_id, channel, provider: "sandbox", name: `Our ${channel}`, handle, is_test: true }
    return (await admin("POST", "/connections", body)).id as string
  }
  const connections = {
    email: await connection("email", "hello@bakery.test"),
    whatsapp: await connection("whatsapp", "+4930123456")
  }
  const application = await admin("POST", "/applications", {
    workspace_id,
    name: "Shop",
    mode: "test",
    scopes,
    connection_ids: Object.values(connections)
  })
  const template = { workspace_id, channel: "whatsapp", name: "order_ready", language: "en", status: "approved" }
  await admin("POST", "/templates", { ...template, body: "Hi {{1}}, your order is ready." })
  await admin("POST", "/templates", { ...template, name: "not_yet", status: "pending", body: "Soon." })
  await admin("POST", "/pipelines", { workspace_id, name: "Sales", stages: [{ key: "new", name: "New" }] })
  const path = `/applications/${application.id}`
  const { key } = await admin("POST", `${path}/api-keys`)
  const oauth = await admin("POST", `${path}/oauth-clients`)
  const endpoint = await admin("POST", `${path}/webhook-endpoints`, { url: "https://shop.test/hook", events: ["*"] })
  return {
    byKey: { baseUrl, apiKey: key as string },
    byClient: { baseUrl, clientId: oauth.client_id as string, clientSecret: oauth.client_secret as string },
    webhookSecret: endpoint.secret as string,
    connections
  }
}

const engine = (take: (request: OutboundRequest) => void) =>
  Layer.mergeAll(Administration.layer, Engine.worker).pipe(
    Layer.provideMerge(Engine.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        sqlite,
        UuidIds.layer,
        LogNotifier.layer,
        MemoryBlobs.layer,
        allowAll,
        engineSettings(),
        Layer.succeed(ChannelProviders, channelProviders([SandboxProvider])),
        plainSecretBox,
        Layer.succeed(HttpSender, {
          refusal: () => null,
          post: (request) =>
            Effect.sync(() => {
              take(request)
              return { _tag: "Answered", status: 200, body: "" } as const
            })
        })
      )
    )
  )

/** Received webhooks by type, and waiting callers. */
const webhooks = () => {
  const come = new Map<string, OutboundRequest>()
  const waiting = new Map<string, (request: OutboundRequest) => void>()
  return {
    take: (request: OutboundRequest) => {
      const type = String(request.headers["x-event-type"])
      come.set(type, request)
      waiting.get(type)?.(request)
    },
    first: (type: string): Promise<OutboundRequest> => {
      const found = come.get(type)
      return found === undefined ? new Promise((resolve) => void waiting.set(type, resolve)) : Promise.resolve(found)
    }
  }
}
