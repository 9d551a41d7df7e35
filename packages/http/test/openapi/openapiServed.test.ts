import { expect, layer } from "@effect/vitest"
import { sampleIds, samples } from "@parley/core"
import { Effect } from "effect"
import { adminDescription, openApiDocument, publicDescription } from "../../src/index.js"
import { type Caller, Hosts, hosts, newCaller } from "../hosts.js"
import { disagreementsWith, type OpenApi, operationsOf, type Place, resolved } from "./agreement.js"

const adminToken = "admin-token"
const documents = [publicDescription, adminDescription].map((description) => {
  const document = openApiDocument(description, "") as unknown as OpenApi
  const disagreements = disagreementsWith(document)
  return { description, document, disagreements, isPublic: description === publicDescription }
})
type Described = (typeof documents)[number]

/** All operations of both documents. */
const everything = documents.flatMap((described) =>
  operationsOf(described.document).map((place) => ({ described, place }))
)

/** Which id `{id}` is, by the first segment of a path. */
const owners: { readonly [segment: string]: string } = {
  agents: sampleIds.agent,
  applications: sampleIds.application,
  attachments: sampleIds.attachment,
  "bot-sessions": sampleIds.botSession,
  bots: sampleIds.bot,
  connections: sampleIds.connection,
  contacts: sampleIds.contact,
  conversations: sampleIds.conversation,
  events: sampleIds.event,
  jobs: sampleIds.job,
  leads: sampleIds.lead,
  messages: sampleIds.message,
  pipelines: sampleIds.pipeline,
  tasks: sampleIds.task,
  teams: sampleIds.team,
  templates: sampleIds.template,
  "webhook-deliveries": sampleIds.delivery,
  "webhook-endpoints": sampleIds.endpoint,
  "workflow-runs": sampleIds.workflowRun,
  workflows: sampleIds.workflow,
  workspaces: sampleIds.workspace
}

/** Query of operations that require one of several parameters, none of which is required alone. */
const oneOfSeveral: { readonly [operationId: string]: string } = {
  conversationsList: `?workspace_id=${sampleIds.workspace}`,
  webhooksFindDeliveries: `?endpoint_id=${sampleIds.endpoint}`
}

const pathOf = ({ path }: Place): string =>
  path
    .replace("{key_id}", sampleIds.apiKey)
    .replace("{client}", sampleIds.oauthClient)
    .replace(/\{\w+\}/, owners[path.split("/")[1] ?? ""] ?? "unknown")

/** Order of the example story: what is created before what needs it; what ends something, last. */
const rankOf = (isPublic: boolean, { method, path }: Place): number => {
  if (isPublic) return method === "POST" ? (path === "/contacts" ? 3 : path === "/messages" ? 5 : 6) : 7
  // After the public ones: both documents have the same id in their examples.
  if (path.startsWith("/attachments")) return method === "GET" ? 7.2 : 7.1
  if (method === "GET") return 8
  if (path === "/connections/{id}/simulate-inbound") return 4
  if (/\/(rotate|unpublish|stop)$|^\/workflow-runs.*\/retry$/.test(path)) return 10
  if (path === "/workflows/dry-run" || path === "/tasks" || path.startsWith("/conversations/{id}/")) return 6
  if (method === "POST") return path === "/workspaces" ? 0 : path === "/connections" || path === "/agents" ? 1 : 2
  return method === "DELETE" ? 11 : path === "/workspaces/{id}" ? 10 : 9
}
const inOrder = [...everything].sort(
  (one, other) => rankOf(one.described.isPublic, one.place) - rankOf(other.described.isPublic, other.place)
)

/** Their data may differ from their examples. */
const logs = ["/audit-log", "/events", "/notifications", "/request-log"]

/**
 * Examples that cannot succeed: the sandbox has no vendor and shows no typing, a request is logged a second after its
 * response, and without a worker no bot runs, no job is parked and no run fails.
 */
const inVain: { readonly [operationId: string]: string } = {
  botsGetSession: "404",
  connectionsImportHistory: "422",
  connectionsSetUp: "422",
  connectionsSyncTemplates: "422",
  conversationsRead: "422",
  conversationsTyping: "422",
  jobsDrop: "404",
  jobsRetry: "404",
  logsRequest: "404",
  workflowRunsRetry: "409"
}

/** Pairs of corresponding texts in two values of the same shape that belong to the example story. */
const counterparts = (example: unknown, actual: unknown): ReadonlyArray<readonly [string, string]> => {
  if (typeof example === "string" && typeof actual === "string") {
    return /^(0190a1b2-|parley_|whsec_)/.test(example) ? [[example, actual]] : []
  }
  if (typeof example !== "object" || example === null || typeof actual !== "object" || actual === null) return []
  return Object.entries(example).flatMap(([key, value]) => counterparts(value, (actual as any)[key]))
}

const exampleOf = (document: OpenApi, media: any): unknown => {
  if (media.example !== undefined) return media.example
  return resolved(document, Object.values(media.examples)[0]).value
}

const [first] = hosts()
if (first === undefined) throw new Error("There is no database to run on.")

layer(first[1], { excludeTestServices: true, timeout: 60_000 })("the documents", (it) => {
  it.effect("match the served responses to their own examples", () =>
    Effect.gen(function* () {
      const { one } = yield* Hosts
      const real = new Map<string, string>()
      const inReality = (text: string) =>
        [...real].reduce((changed, [example, actual]) => changed.replaceAll(example, actual), text)
      for (const { described, place } of inOrder) {
        const { document, description, disagreements, isPublic } = described
        const { method, operation } = place
        const media = operation.requestBody?.content["application/json"]
        const bodies =
          media === undefined
            ? [undefined]
            : Object.values(media.examples ?? { only: { value: media.example } }).map((named: any) => named.value)
        for (const [index, body] of bodies.entries()) {
          const query = (operation.parameters ?? [])
            .filter(({ in: where, required }) => where === "query" && required)
            .map(({ name }) => `?${name}=${sampleIds.workspace}`)
            .concat(oneOfSeveral[operation.operationId] ?? [])
            .join("")
          const answer = yield* one(method, inReality(`${description.prefix}${pathOf(place)}${query}`), {
            token: isPublic ? inReality(samples.apiKey) : adminToken,
            headers: { "idempotency-key": `${operation.operationId}-${index}` },
            ...(media === undefined && operation.requestBody !== undefined ? { body: "Dear Ada" } : {}),
            ...(body === undefined ? {} : { json: JSON.parse(inReality(JSON.stringify(body))) })
          })
          const refusal = inVain[operation.operationId]
          const expected = refusal ?? Object.keys(operation.responses).find((status) => status.startsWith("2"))
          expect([operation.operationId, `${answer.status}`, refusal === undefined ? answer.error : null]).toEqual([
            operation.operationId,
            expected,
            null
          ])
          expect([operation.operationId, disagreements(operation, answer)]).toEqual([operation.operationId, []])
          if (refusal !== undefined) continue
          const success = exampleOf(document, operation.responses[answer.status].content["application/json"])
          if (logs.includes(place.path)) continue
          for (const [example, actual] of counterparts(success, answer.json)) real.set(example, actual)
        }
      }
    })
  )

  const refusals = (
    status: number,
    which: (place: Place, described: Described) => boolean,
    ask: (
      place: Place,
      caller: Caller,
      isPublic: boolean
    ) => { readonly method?: string; readonly path?: string; readonly options: object }
  ) =>
    Effect.gen(function* () {
      const { one } = yield* Hosts
      const caller = yield* newCaller()
      for (const { described, place } of everything.filter(({ described, place }) => which(place, described))) {
        const { method, path, options } = ask(place, caller, described.isPublic)
        const token = described.isPublic ? caller.key : adminToken
        const headers = { "idempotency-key": "key", "content-type": "application/json" }
        const answer = yield* one(method ?? place.method, `${described.description.prefix}${path ?? pathOf(place)}`, {
          token,
          headers,
          ...options
        })
        expect([place.operation.operationId, answer.status]).toEqual([place.operation.operationId, status])
        expect([place.operation.operationId, described.disagreements(place.operation, answer)]).toEqual([
          place.operation.operationId,
          []
        ])
      }
    })
  const documents = (status: number) => (place: Place) => `${status}` in place.operation.responses
  const takesBody = ({ operation }: Pick<Place, "operation">) =>
    operation.requestBody?.content["application/json"] !== undefined

  it.effect("match responses to requests without a credential", () =>
    refusals(
      401,
      ({ operation }) => operation.security.length > 0,
      () => ({ options: { token: null } })
    )
  )

  it.effect("match responses to unknown methods", () =>
    refusals(405, documents(405), () => ({ method: "PUT", options: {} }))
  )

  it.effect("match responses to unknown ids", () =>
    refusals(404, documents(404), ({ path, operation }) => ({
      path: path.replace(/\{\w+\}/g, "0190a1b2-0000-7000-8000-0000deadbeef"),
      options: takesBody({ operation }) ? { json: {} } : {}
    }))
  )

  it.effect("match responses to malformed JSON", () => refusals(400, takesBody, () => ({ options: { body: "{" } })))

  it.effect("match responses to too large bodies", () =>
    refusals(413, takesBody, () => ({ options: { body: "x".repeat(1_048_577) } }))
  )

  it.effect("match responses to invalid queries", () =>
    refusals(
      422,
      ({ operation, path }) =>
        !path.includes("{") &&
        (operation.parameters ?? []).some(({ in: where, name }) => where === "query" && name !== "search"),
      ({ path, operation }) => ({
        path: `${path}?${(operation.parameters ?? []).map(({ name }) => `${name}=%00`).join("&")}`,
        options: {}
      })
    )
  )

  it.effect("match responses to invalid bodies", () =>
    refusals(
      422,
      ({ operation, path, method }) =>
        method === "POST" && takesBody({ operation }) && !path.includes("{") && path !== "/oauth/token",
      // The operation without required fields rejects foreign cursors.
      ({ path }) => ({ options: { json: path === "/secrets/rotate" ? { cursor: "x" } : {} } })
    )
  )
})
