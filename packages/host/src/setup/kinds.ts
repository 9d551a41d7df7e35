import type { Answer } from "@parley/client"
import type { AdminClient } from "@parley/client/admin"
import type { Declaration } from "./Declaration.js"
import type { Body, Ledger } from "./Ledger.js"

export type Section = Exclude<keyof Declaration, "workspace">

/** The ids and providers that bodies of parts refer to. */
export interface References {
  readonly workspaceId: string
  /** Id of a part of this declaration; null while it does not exist. */
  readonly idOf: (section: Section, name: string) => string | null
  /** The providers of a channel, without the sandbox if there are others. */
  readonly providersOf: (channel: unknown) => ReadonlyArray<string>
}

type Created = Answer<{ readonly id: string; readonly secret?: string }>

/** How the parts of a section are read, compared and written. */
export interface Kind {
  readonly section: Section
  /** The declared fields. Undefined ones are neither sent nor compared. */
  readonly bodyOf: (given: Body, references: References) => Body
  /** Fields that its creation has unless they are declared. Never compared, so that operators may change them. */
  readonly defaultsOf: (given: Body, name: string, references: References) => Body
  /** Fields of the body that cannot be changed. */
  readonly fixed: (resource: Body) => ReadonlyArray<string>
  /** Fields that are compared by `differences` instead of by value. */
  readonly comparedByEngine: ReadonlyArray<string>
  /** Fields whose values are not listed. */
  readonly secret: ReadonlyArray<string>
  readonly differences: (ledger: Ledger, id: string, body: Body) => Promise<ReadonlyArray<string>>
  readonly get: (admin: AdminClient, id: string) => Promise<Answer<object>>
  readonly create: (admin: AdminClient, body: Body, idempotencyKey: string) => Promise<Created>
  readonly update: (admin: AdminClient, id: string, patch: Body) => Promise<unknown>
  /** Takes it out of service. */
  readonly prune: (admin: AdminClient, id: string) => Promise<unknown>
  /** `status` of a part in service; null if it has none that `prune` sets. */
  readonly inService: (body: Body) => string | null
  /** Whether it still exists after `prune`. */
  readonly survivesPrune: boolean
}

const nothing = async () => []
const named: Kind["defaultsOf"] = (_, name) => ({ name })

const connections: Kind = {
  section: "connections",
  bodyOf: ({ settings, id: _, ...given }) => ({ ...given, config: settings }),
  defaultsOf: ({ channel }, name, { providersOf }) => ({ name, provider: providersOf(channel)[0] }),
  fixed: () => ["channel", "provider", "handle", "is_test"],
  comparedByEngine: ["handle", "config", "credentials"],
  secret: ["credentials"],
  differences: (ledger, id, body) => ledger.connectionDifferences(id, body),
  get: (admin, id) => admin.connections.get(id),
  create: (admin, body, idempotencyKey) => admin.connections.create(body as never, { idempotencyKey }),
  update: (admin, id, patch) => admin.connections.update(id, patch),
  prune: (admin, id) => admin.connections.update(id, { status: "disconnected" }),
  inService: () => "active",
  survivesPrune: true
}

const templates: Kind = {
  section: "templates",
  bodyOf: ({ id: _, ...given }) => given,
  defaultsOf: named,
  fixed: () => ["name", "channel", "language"],
  comparedByEngine: [],
  secret: [],
  differences: nothing,
  get: (admin, id) => admin.templates.get(id),
  create: (admin, body, idempotencyKey) => admin.templates.create(body as never, { idempotencyKey }),
  update: (admin, id, patch) => admin.templates.update(id, patch),
  prune: (admin, id) => admin.templates.update(id, { status: "paused" }),
  inService: ({ status }) => (typeof status === "string" ? status : "draft"),
  survivesPrune: true
}

const applications: Kind = {
  section: "applications",
  bodyOf: ({ connections, id: _id, keys: _keys, ...given }, { idOf }) => ({
    ...given,
    connection_ids: (connections as ReadonlyArray<string> | undefined)?.map((name) => idOf("connections", name) ?? name)
  }),
  defaultsOf: (_, name) => ({ name, mode: "live" }),
  fixed: () => ["mode"],
  comparedByEngine: [],
  secret: [],
  differences: nothing,
  get: (admin, id) => admin.applications.get(id),
  create: (admin, body, idempotencyKey) => admin.applications.create(body as never, { idempotencyKey }),
  update: (admin, id, patch) => admin.applications.update(id, patch),
  prune: (admin, id) => admin.applications.update(id, { status: "suspended" }),
  inService: () => "active",
  survivesPrune: true
}

const endpoints: Kind = {
  section: "endpoints",
  bodyOf: ({ application, id: _, ...given }, { idOf }) => ({
    ...given,
    application_id: idOf("applications", application as string) ?? application
  }),
  defaultsOf: () => ({}),
  fixed: () => ["application_id"],
  comparedByEngine: ["secret"],
  // Many URLs have a secret in their query.
  secret: ["url", "secret"],
  differences: async (ledger, id, { secret }) =>
    typeof secret !== "string" || (await ledger.isEndpointSecret(id, secret)) ? [] : ["secret"],
  get: (admin, id) => admin.webhooks.get(id),
  create: (admin, { application_id, ...body }, idempotencyKey) =>
    admin.webhooks.create(application_id as string, body as never, { idempotencyKey }),
  update: (admin, id, patch) => admin.webhooks.update(id, patch),
  prune: (admin, id) => admin.webhooks.remove(id),
  inService: () => null,
  survivesPrune: false
}

const workflows: Kind = {
  section: "workflows",
  bodyOf: ({ id: _id, publish: _publish, actions = [], conditions = null, ...given }) => ({
    ...given,
    conditions,
    actions
  }),
  defaultsOf: named,
  fixed: ({ status }) => (status === "published" ? ["trigger"] : []),
  comparedByEngine: ["trigger", "conditions", "actions"],
  secret: [],
  differences: (ledger, id, body) => ledger.workflowDifferences(id, body),
  get: (admin, id) => admin.workflows.get(id),
  create: (admin, body, idempotencyKey) => admin.workflows.create(body as never, { idempotencyKey }),
  update: (admin, id, patch) => admin.workflows.update(id, patch),
  prune: async (admin, id) => {
    const { data } = await admin.workflows.get(id)
    if (data.status === "published") await admin.workflows.unpublish(id)
  },
  inService: () => null,
  survivesPrune: true
}

/** In the order of creation: each refers only to those before it. */
export const kinds: ReadonlyArray<Kind> = [connections, templates, applications, endpoints, workflows]
