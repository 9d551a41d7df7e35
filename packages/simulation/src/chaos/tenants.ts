import type { World } from "../audit/Journal.js"
import { textAt, valueAt } from "../audit/json.js"
import type { BusinessNumber } from "./vendor.js"

/** A business's number of each workspace. */
export const numbers: ReadonlyArray<BusinessNumber> = [1, 2].map((n) => ({
  phoneNumberId: `10654035224292${n}`,
  businessAccountId: `10229012934039${n}`,
  displayNumber: `+1555000111${n}`,
  accessToken: `EAAGm0PX4ZCpsBA${n}secret-access-token`,
  appSecret: `app-secret-${n}-0c1d8a7f5b3e4d6f`,
  connectionId: ""
}))

/** Customers of both workspaces. */
export const customers: ReadonlyArray<string> = Array.from({ length: 8 }, (_, n) => `+49170000000${n}`)

interface Endpoint {
  readonly name: string
  /** Whether faults change how its receiver behaves. */
  readonly isMoody: boolean
  readonly events: ReadonlyArray<string>
}

interface Application {
  readonly name: string
  readonly workspace: 1 | 2
  /** Absent: the defaults. */
  readonly limits?: { readonly requestsPerMinute: number; readonly sendsPerMinute: number }
  readonly endpoints: ReadonlyArray<Endpoint>
}

const steady = (name: string): Endpoint => ({ name, isMoody: false, events: [] })
const moody = (name: string): Endpoint => ({ name, isMoody: true, events: [] })

/** Two applications share the number of the first workspace. One of them reaches its limit of sends. */
const applications: ReadonlyArray<Application> = [
  { name: "application 1.1", workspace: 1, endpoints: [steady("steady-1-1"), moody("moody-1-1")] },
  {
    name: "application 1.2",
    workspace: 1,
    limits: { requestsPerMinute: 600, sendsPerMinute: 20 },
    endpoints: [steady("steady-1-2"), { ...moody("moody-1-2"), events: ["message.received", "message.sent"] }]
  },
  { name: "application 2.1", workspace: 2, endpoints: [steady("steady-2-1"), moody("moody-2-1")] }
]

export const applicationNames: ReadonlyArray<string> = applications.map(({ name }) => name)
export const moodyReceivers: ReadonlyArray<string> = applications.flatMap(({ endpoints }) =>
  endpoints.filter(({ isMoody }) => isMoody).map(({ name }) => name)
)

/** The tenants with the bearer token of each application. */
export interface Tenants {
  readonly world: Omit<World, "at">
  readonly tokens: ReadonlyMap<string, string>
}

/**
 * Makes the tenants through the admin API of a host: two workspaces with a WhatsApp number each. The first one holds
 * messages of unknown outcome, the second one resends them. Fails if a call does.
 */
export const makeTenants = async (
  origin: string,
  adminToken: string,
  vendorUrl: string,
  urlOf: (receiver: string) => string
): Promise<Tenants> => {
  const post = async (path: string, body: object): Promise<unknown> => {
    const response = await fetch(`${origin}/admin/v1${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`POST ${path} is answered ${response.status}: ${text}`)
    return valueAt(JSON.parse(text), "data")
  }
  const idOf = (made: unknown) => textAt(made, "id") ?? ""

  const workspaceIds: Array<string> = []
  for (const [index, number] of numbers.entries()) {
    const workspaceId = idOf(await post("/workspaces", { name: `Workspace ${index + 1}`, default_language: "en" }))
    workspaceIds.push(workspaceId)
    const connection = await post("/connections", {
      workspace_id: workspaceId,
      channel: "whatsapp",
      provider: "whatsapp",
      name: "Our number",
      handle: number.displayNumber,
      is_test: false,
      config: {
        api_url: vendorUrl,
        phone_number_id: number.phoneNumberId,
        business_account_id: number.businessAccountId,
        recipient_every_ms: 100,
        recipient_burst: 100,
        ...(index === 1 ? { unknown_outcome: "resend" } : {})
      },
      credentials: {
        access_token: number.accessToken,
        app_secret: number.appSecret,
        verify_token: "verify-token-0123456789"
      }
    })
    number.connectionId = idOf(connection)
  }

  const tokens = new Map<string, string>()
  const made: Array<World["applications"][number]> = []
  const endpoints: Array<World["endpoints"][number]> = []
  for (const { endpoints: ofApplication, limits, name, workspace } of applications) {
    const workspaceId = workspaceIds[workspace - 1] ?? ""
    const connectionIds = [numbers[workspace - 1]?.connectionId ?? ""]
    const application = await post("/applications", {
      workspace_id: workspaceId,
      name,
      mode: "live",
      scopes: ["messages.send", "messages.read", "messages.status", "contacts.read", "webhooks.receive", "events.send"],
      connection_ids: connectionIds,
      ...(limits === undefined
        ? {}
        : { limits: { requests_per_minute: limits.requestsPerMinute, sends_per_minute: limits.sendsPerMinute } })
    })
    const id = idOf(application)
    made.push({ name, id, workspaceId, connectionIds, ...(limits === undefined ? {} : { limits }) })
    tokens.set(name, textAt(await post(`/applications/${id}/api-keys`, {}), "key") ?? "")
    for (const { events, name: receiver } of ofApplication) {
      const url = urlOf(receiver)
      const endpoint = await post(`/applications/${id}/webhook-endpoints`, {
        url,
        events: events.length === 0 ? ["*"] : events
      })
      const secret = textAt(endpoint, "secret") ?? ""
      endpoints.push({ id: idOf(endpoint), applicationId: id, url, events, secret })
    }
  }
  return {
    tokens,
    world: {
      kind: "world",
      workspaces: workspaceIds.map((id) => ({ id })),
      applications: made,
      connections: numbers.map(({ connectionId }, index) => ({
        id: connectionId,
        workspaceId: workspaceIds[index] ?? "",
        channel: "whatsapp",
        dedupes: false,
        unknownSends: index === 1 ? "resend" : "hold",
        receipts: ["delivered", "read"]
      })),
      endpoints,
      unseenAttempts: true
    }
  }
}
