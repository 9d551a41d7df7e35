import { samples, scopes } from "@parley/core"
import type { Outgoing } from "../../src/index.js"
import { type Endpoint, endpoints } from "./endpoints.js"
import { fitting, headersOf, type Known, listOf, pathOf, type Request } from "./requests.js"

/** Paths whose POST creates: those with a GET list, and those of the public interface with a body. */
const lists = new Set(endpoints.flatMap(({ method, path }) => (method === "GET" ? [path] : [])))
const makers = endpoints.filter(
  ({ api, body, method, path, raises }) =>
    method === "POST" && (lists.has(path) || (api === "public" && raises !== null && body !== null))
)
/** Additional requests: a customer writes, so that free text may be sent, and test deliveries are sent. */
const byTheWay: { readonly [path: string]: string } = {
  "/admin/v1/connections/:id/simulate-inbound": "messages",
  "/admin/v1/webhook-endpoints/:id/test": "webhook-deliveries"
}
const collectionOf = ({ path }: Endpoint) => byTheWay[path] ?? path.split("/").at(-1) ?? ""
const others = endpoints.filter(({ path }) => path in byTheWay)

/** A workspace with data, and reasons why something could not be created. */
export interface Settled {
  readonly known: Known
  readonly unmade: ReadonlyArray<string>
}

/** Creates a workspace with two of everything from the contracts' examples, in order of dependency. */
export const settle = async (send: (request: Request) => Promise<Outgoing<string>>): Promise<Settled> => {
  const ids: { [collection: string]: string } = {}
  const known = { ids, emailConnection: "", key: "", client: { client_id: "", client_secret: "" } }

  const make = async (endpoint: Endpoint, which: 0 | 1): Promise<string | null> => {
    const collection = collectionOf(endpoint)
    const examples = endpoint.body?.examples ?? []
    const example = { ...(examples[which] ?? examples[0]), ...instead(collection, which, known) }
    const { status, body } = await send({
      method: endpoint.method,
      url: pathOf(endpoint, known),
      headers: headersOf(endpoint, known, `${endpoint.name} ${which}`),
      body: Buffer.from(JSON.stringify(fitting(example, known, which)))
    })
    if (status >= 300) return `${endpoint.name}: ${body}`
    const { data } = JSON.parse(body)
    ids[collection] ??= data.id
    for (const [name, value] of Object.entries(data)) {
      if (typeof value === "string" && name.endsWith("_id")) ids[listOf(name)] ??= value
    }
    if (collection === "connections" && which === 1) known.emailConnection = data.id
    if (collection === "api-keys") known.key = data.key
    if (collection === "oauth-clients") known.client = data
    return null
  }

  const makeAll = async (endpoints: ReadonlyArray<Endpoint>): Promise<ReadonlyArray<string>> => {
    const left: Array<Endpoint> = []
    const unmade: Array<string> = []
    for (const endpoint of endpoints) {
      const reason = (await make(endpoint, 0)) ?? (await make(endpoint, 1))
      // Both interfaces create contacts; the second one gets those of the first.
      if (reason === null || collectionOf(endpoint) in ids) continue
      left.push(endpoint)
      unmade.push(reason)
    }
    return left.length === 0 || left.length === endpoints.length ? unmade : makeAll(left)
  }
  const unmade = await makeAll(makers)
  return { known, unmade: [...unmade, ...(await makeAll(others))] }
}

/** Data that the examples lack: an application with all scopes, and two channels. */
const instead = (collection: string, which: 0 | 1, { ids, emailConnection }: Known): object => {
  if (collection === "connections" && which === 1) return { channel: "email", handle: "desk@example.com" }
  if (collection === "messages" && which === 1) return { channel: "email", to: samples.email }
  if (collection !== "applications") return {}
  const plenty = { requests_per_minute: 1_000_000, sends_per_minute: 1_000_000 }
  return { mode: "test", scopes, connection_ids: [ids.connections, emailConnection], limits: plenty }
}
