import type { Incoming } from "../../src/index.js"
import { isJson, type Json } from "../../src/openapi/Json.js"
import { story } from "../../src/openapi/story.js"
import type { Endpoint } from "./endpoints.js"

/** A request as transports hand it over. */
export interface Request {
  readonly method: string
  readonly url: string
  readonly headers: Incoming["headers"]
  readonly body: Uint8Array
}

export const adminToken = "admin-token"

/** What there is of a workspace. */
export interface Known {
  /** One of each kind, by the path of its list, such as `webhook-endpoints`. */
  readonly ids: { readonly [collection: string]: string }
  /** The other connection is one of WhatsApp. */
  readonly emailConnection: string
  readonly key: string
  /** Of an application that may do everything. */
  readonly client: { readonly client_id: string; readonly client_secret: string }
}

/** The list that a field such as `contact_id` names one of. */
export const listOf = (field: string): string =>
  field === "new_conversation_on" ? "connections" : `${field.replace(/_ids?$/, "").replace("user", "agent")}s`

/** A filter for what belongs to something that is there: some lists cannot do without one. */
export const narrowingOf = ({ query }: Endpoint, { ids }: Known): string => {
  const name = query.find((name) => name.endsWith("_id") && listOf(name) in ids)
  return name === undefined ? "" : `&${name}=${ids[listOf(name)]}`
}

/** A path with the ids of what is there. */
export const pathOf = ({ path }: Endpoint, { ids }: Known): string =>
  path
    .split("/")
    .map((segment, at, all) => (segment.startsWith(":") ? (ids[all[at - 1] ?? ""] ?? story.contactId) : segment))
    .join("/")

/** The headers of a request as it should be. */
export const headersOf = (
  { api, body, idempotencyKey }: Endpoint,
  { key }: Known,
  once: string
): { readonly [name: string]: string } => ({
  host: "shop.example",
  authorization: `Bearer ${api === "admin" ? adminToken : key}`,
  ...(body === null ? {} : { "content-type": "application/json" }),
  ...(idempotencyKey === "required" ? { "idempotency-key": once } : {})
})

/** An example with the ids and credentials of what is there, and, unless `unique` is 0, with addresses and names that are new. */
export const fitting = (example: Json, known: Known, unique: number): Json => {
  const isEmail = example.channel === "email"
  const fitted = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((inner) => fitted(inner, name))
    if (isJson(value)) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fitted(inner, key)]))
    if (name === "client_id" || name === "client_secret") return known.client[name]
    if (typeof value !== "string") return value
    if (/^\+\d+$/.test(value)) return `+49151${10_000_000 + unique}`
    if (value === story.email) return `ada${unique}@example.com`
    if (name === "connection_id" && isEmail) return known.emailConnection
    const list = listOf(name)
    if (list in known.ids && isOfStory(value)) return known.ids[list]
    return ["name", "key", "handle"].includes(name) && unique > 0 ? `${value}_${unique}` : value
  }
  return fitted(example, "") as Json
}

/** Ids that are none of the examples' are meant. */
const isOfStory = (id: string): boolean => (Object.values(story) as ReadonlyArray<string>).includes(id)
