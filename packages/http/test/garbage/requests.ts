import { sampleIds, samples } from "@parley/core"
import type { Incoming } from "../../src/index.js"
import { isJson, type Json } from "../../src/openapi/Json.js"
import type { Endpoint } from "./endpoints.js"

/** A request as transports pass it. */
export interface Request {
  readonly method: string
  readonly url: string
  readonly headers: Incoming["headers"]
  readonly body: Uint8Array
}

export const adminToken = "admin-token"

/** Existing data of a workspace. */
export interface Known {
  /** One id of each kind, by the path of its list, for example `webhook-endpoints`. */
  readonly ids: { readonly [collection: string]: string }
  /** The other connection is on WhatsApp. */
  readonly emailConnection: string
  readonly key: string
  /** Of an application with all scopes. */
  readonly client: { readonly client_id: string; readonly client_secret: string }
}

/** The list that a field such as `contact_id` refers to. */
export const listOf = (field: string): string =>
  field === "new_conversation_on" ? "connections" : `${field.replace(/_ids?$/, "").replace("user", "agent")}s`

/** A filter for existing data; some lists require one. */
export const narrowingOf = ({ query }: Endpoint, { ids }: Known): string => {
  const name = query.find((name) => name.endsWith("_id") && listOf(name) in ids)
  return name === undefined ? "" : `&${name}=${ids[listOf(name)]}`
}

/** A path with existing ids. */
export const pathOf = ({ path }: Endpoint, { ids }: Known): string =>
  path
    .split("/")
    .map((segment, at, all) => (segment.startsWith(":") ? (ids[all[at - 1] ?? ""] ?? sampleIds.contact) : segment))
    .join("/")

/** Headers of a valid request. */
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

/** An example with existing ids and credentials and, unless `unique` is 0, with new addresses and names. */
export const fitting = (example: Json, known: Known, unique: number): Json => {
  const isEmail = example.channel === "email"
  const fitted = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((inner) => fitted(inner, name))
    if (isJson(value)) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fitted(inner, key)]))
    if (name === "client_id" || name === "client_secret") return known.client[name]
    if (typeof value !== "string") return value
    // The sandbox answers endings such as 0003 with failures, which are logged.
    if (/^\+\d+$/.test(value)) return `+49151${10_000_000 + unique}99`
    if (value === samples.email) return `ada${unique}@example.com`
    if (name === "connection_id" && isEmail) return known.emailConnection
    const list = listOf(name)
    if (list in known.ids && isSample(value)) return known.ids[list]
    if (!["name", "key", "handle"].includes(name) || unique === 0) return value
    return value.includes("@") ? `${unique}${value}` : `${value}_${unique}`
  }
  return fitted(example, "") as Json
}

/** Whether an id belongs to the examples. Other ids stay as they are. */
const isSample = (id: string): boolean => (Object.values(sampleIds) as ReadonlyArray<string>).includes(id)
