import { changes, expect, hashOf, row, Storage, scopes, set } from "@parley/core"
import { AesSecretBox } from "@parley/node"
import { aConnection, anApiKey, anApplication, anEndpoint, aTemplate, aWorkspace } from "@parley/testkit/rows"
import { Effect } from "effect"
import { type Store, storageOf } from "./Store.js"
import { applicationId, connectionId, secretKey, workspaceId } from "./seed.js"
import { chatConnectionId, seedChat } from "./seedChat.js"
import { templateBody } from "./traffic.js"
import { appSecret, phoneNumberId } from "./whatsappTraffic.js"

/** The bearer token of the second tenant. */
export const tenantKey = "parley_test_tenant0123456789abcdefghijklmnop"

/** Connections of the first tenant that take inbound webhooks and mail. */
export const inboundConnectionId = "01900000-0000-7000-8003-000000000002"
export const mailConnectionId = "01900000-0000-7000-8003-000000000004"
/** With it, a mail service posts the mails that anyone sends. */
export const mailSecret = "m".repeat(32)

const id = (kind: number, n: number) => `01900000-0000-7000-81${kind}0-${n.toString(16).padStart(12, "0")}`

/** Limits of the second tenant a minute: the defaults. */
const tenantRequests = 600
const tenantSends = 100

/** The webhook endpoints of the second tenant. */
export const tenantEndpointIds: ReadonlyArray<string> = Array.from({ length: 32 }, (_, n) => id(4, n))

const box = AesSecretBox.make(secretKey)
const seal = (credentials: object) => box.seal(JSON.stringify(credentials))

const inboundConnections = [
  aConnection({
    id: inboundConnectionId,
    workspaceId,
    provider: "whatsapp",
    handle: "+4930000001",
    config: { phone_number_id: phoneNumberId },
    credentials: seal({ access_token: "never-used", app_secret: appSecret, verify_token: "never-used" })
  }),
  aConnection({
    id: mailConnectionId,
    workspaceId,
    channel: "email",
    provider: "email",
    handle: "hello@bakery.example",
    config: { smtp: { host: "127.0.0.1", port: 25, security: "none" } },
    credentials: seal({ inbound_secret: mailSecret })
  })
]

const tenant = id(1, 1)
const tenantApplication = id(2, 1)
const tenantConnection = id(3, 1)

/** A workspace with an application that has disabled endpoints, at paths below a URL. */
const secondTenant = (endpointsUrl: string) =>
  changes(tenant, {
    claims: [
      row(
        "apiKeys",
        anApiKey({ id: id(7, 1), workspaceId: tenant, applicationId: tenantApplication, hash: hashOf(tenantKey) })
      ),
      row(
        "templates",
        aTemplate({
          id: id(8, 1),
          workspaceId: tenant,
          channel: "whatsapp",
          name: "order_shipped",
          body: templateBody
        })
      )
    ],
    inserts: [
      row("workspaces", aWorkspace({ id: tenant })),
      row(
        "applications",
        anApplication({
          id: tenantApplication,
          workspaceId: tenant,
          scopes,
          connectionIds: [tenantConnection],
          requestsPerMinute: tenantRequests,
          sendsPerMinute: tenantSends
        })
      ),
      row("connections", aConnection({ id: tenantConnection, workspaceId: tenant, handle: "+4930000002" })),
      ...tenantEndpointIds.map((endpoint, n) =>
        row(
          "endpoints",
          anEndpoint({
            id: endpoint,
            workspaceId: tenant,
            applicationId: tenantApplication,
            url: `${endpointsUrl}/${n}`,
            secret: box.seal("whsec_0123456789abcdefghijklmnopqrstuv"),
            status: "disabled"
          })
        )
      )
    ]
  })

/**
 * A database with two tenants: one with a web chat, an inbound connection and a mailbox, whose application takes
 * webhooks at `webhookUrl`; and one with endpoints below `endpointsUrl`, disabled.
 */
export const seedSoak = async (store: Store, webhookUrl: string, endpointsUrl: string): Promise<void> => {
  await seedChat(store, webhookUrl)
  const connect = changes(workspaceId, {
    expects: [expect("applications", { id: applicationId })],
    sets: [set("applications", { id: applicationId }, { connectionIds: [connectionId, chatConnectionId] })],
    inserts: inboundConnections.map((connection) => row("connections", connection))
  })
  await Effect.flatMap(Storage, (storage) =>
    Effect.zipRight(storage.commit(connect), storage.commit(secondTenant(endpointsUrl)))
  ).pipe(Effect.provide(storageOf(store)), Effect.runPromise)
}
