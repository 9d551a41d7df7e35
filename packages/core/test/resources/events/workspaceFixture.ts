import { aConnection, anAgent, anApplication, anEndpoint, aPipeline, aWorkspace } from "@parley/testkit/rows"
import { Effect, Layer } from "effect"
import type { Application } from "../../../src/model/Application.js"
import type { Connection } from "../../../src/model/Connection.js"
import type { Delivery } from "../../../src/model/Delivery.js"
import type { Event, EventType } from "../../../src/model/Event.js"
import { scopes } from "../../../src/model/Scope.js"
import { type Changes, changes, type RowOf, row } from "../../../src/ports/Changes.js"
import { Ids } from "../../../src/ports/Ids.js"
import { lookup, Storage } from "../../../src/ports/Storage.js"
import type { Caller } from "../../../src/resources/access/Caller.js"

/** A storage that records every commit. */
export const recorded = <Out, E>(storage: Layer.Layer<Storage | Out, E>) => {
  const commits: Array<Changes> = []
  const recording = Layer.effect(
    Storage,
    Effect.map(Storage, (inner) => ({
      ...inner,
      commit: (changes: Changes) => Effect.tap(inner.commit(changes), () => Effect.sync(() => commits.push(changes)))
    }))
  )
  return { commits, storage: Layer.provideMerge(recording, storage) }
}

/** The receivers by name: the name of the application, or of one of its endpoints. */
const receiverNames = [
  "owner",
  "owner, failures alone",
  "owner, disabled",
  "neighbour",
  "elsewhere",
  "live",
  "without scope",
  "suspended",
  "stranger"
] as const
export type ReceiverName = (typeof receiverNames)[number]

/**
 * A workspace with applications that differ in the events they may receive, each with an endpoint for all events:
 * - the owner, which sends;
 * - its neighbour on the same connection;
 * - one on another connection;
 * - a live one on a live connection;
 * - one without `webhooks.receive`;
 * - a suspended one;
 * - one in another workspace whose allow-list has the same connection.
 */
export const newWorkspaceFixture = Effect.gen(function* () {
  const storage = yield* Storage
  const ids = yield* Ids
  const next = () => ids.next(1_700_000_000_000)
  const workspace = aWorkspace({ id: next() })
  const otherWorkspace = aWorkspace({ id: next() })
  const connectionOf = (more: Partial<Connection>) =>
    aConnection({
      id: next(),
      workspaceId: workspace.id,
      channel: "whatsapp",
      provider: "scripted",
      isTest: true,
      status: "active",
      config: {},
      ...more
    })
  const connection = connectionOf({})
  const second = connectionOf({ channel: "email" })
  const liveConnection = connectionOf({ isTest: false })
  const applicationOf = (more: Partial<Application>) =>
    anApplication({
      id: next(),
      workspaceId: workspace.id,
      mode: "test",
      scopes,
      connectionIds: [connection.id],
      requestsPerMinute: 10_000,
      sendsPerMinute: 10_000,
      ...more
    })
  const owner = applicationOf({ connectionIds: [connection.id, second.id] })
  const live = applicationOf({ mode: "live", connectionIds: [liveConnection.id] })
  const applications: { readonly [name in ReceiverName]: Application } = {
    owner,
    "owner, failures alone": owner,
    "owner, disabled": owner,
    neighbour: applicationOf({}),
    elsewhere: applicationOf({ connectionIds: [second.id] }),
    live,
    "without scope": applicationOf({ scopes: scopes.filter((scope) => scope !== "webhooks.receive") }),
    suspended: applicationOf({ status: "suspended" }),
    stranger: applicationOf({ workspaceId: otherWorkspace.id })
  }
  const endpoints = receiverNames.map((name) => ({
    name,
    endpoint: anEndpoint({
      id: next(),
      workspaceId: applications[name].workspaceId,
      applicationId: applications[name].id,
      events: name === "owner, failures alone" ? ["message.failed"] : ["*"],
      status: name === "owner, disabled" ? "disabled" : "active",
      url: "https://example.org/"
    })
  }))
  const agent = anAgent({ id: next(), workspaceId: workspace.id })
  const pipeline = aPipeline({
    id: next(),
    workspaceId: workspace.id,
    stages: [
      { key: "new", name: "New" },
      { key: "won", name: "Won" }
    ]
  })
  yield* storage.commit(
    changes(workspace.id, {
      claims: [row("workspaces", workspace), row("workspaces", otherWorkspace)],
      inserts: [
        ...[connection, second, liveConnection].map((one) => row("connections", one)),
        ...[...new Set(Object.values(applications))].map((one) => row("applications", one)),
        ...endpoints.map(({ endpoint }) => row("endpoints", endpoint)),
        row("agents", agent),
        row("pipelines", pipeline)
      ]
    })
  )
  const callerOf = (application: Application): Caller => ({ application, workspace, scopes, credentialId: next() })

  /** The events of this type in the workspace, oldest first, each with its receivers. */
  const reported = (type: EventType) =>
    Effect.gen(function* () {
      const events = yield* storage.list({
        from: "events",
        where: { workspaceId: workspace.id, type },
        after: null,
        limit: 100
      })
      return yield* Effect.forEach([...events].reverse(), (event) =>
        Effect.map(storage.read({ deliveries: lookup("deliveries", { eventId: event.id }) }), ({ deliveries }) => ({
          event,
          receivers: endpoints
            .filter(({ endpoint }) => deliveries.some(({ endpointId }) => endpointId === endpoint.id))
            .map(({ name }) => name)
        }))
      )
    })
  return {
    workspace,
    connection,
    second,
    liveConnection,
    agent,
    endpoints,
    owner: callerOf(owner),
    live: callerOf(live),
    reported
  }
})
export type WorkspaceFixture = Effect.Effect.Success<typeof newWorkspaceFixture>

/**
 * Whether a commit writes the event together with the row that it is about; for `webhook.test` that row is the
 * delivery.
 */
export const writesTogether = ({ claims, inserts, sets }: Changes, { id, subjectId }: Event): boolean =>
  inserts.some((one) => one.table === "events" && (one as RowOf<"events">).row.id === id) &&
  ([...claims, ...inserts].some(
    ({ row, table }) => "id" in row && (table === "deliveries" ? (row as Delivery).endpointId : row.id) === subjectId
  ) ||
    sets.some(({ key }) => "id" in key && key.id === subjectId))
