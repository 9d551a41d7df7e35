import { isDeepStrictEqual } from "node:util"
import { ParleyError } from "@parley/client"
import { type DeclaredPart, type NameScope, sandboxKind } from "@parley/core"
import type { Declaration, Difference, FieldDifference, Made, Setup, SetupOptions } from "./Declaration.js"
import { declarationProblems } from "./declarationProblems.js"
import { type Kind, kinds, type References, type Section } from "./kinds.js"
import { type Body, type Ledger, orNull } from "./Ledger.js"
import { SetupError, type SetupProblem } from "./SetupError.js"

/** A declared part, with the state of the resource that has its name. */
interface Part {
  readonly kind: Kind
  readonly name: string
  readonly given: Body
  /** `applications/shop`: its name in the workspace's scope. */
  readonly key: string
  /** `applications.shop`, for messages. */
  readonly label: string
  /** Null: missing or gone. */
  id: string | null
  isGone: boolean
  /** Whether a name must be written: it was adopted by id, or restored. */
  isUnnamed: boolean
  fields: ReadonlyArray<FieldDifference>
  /** A workflow that was never published: publishing it belongs to its creation. */
  isUnfinished: boolean
  /** A workflow that an operator unpublished. It stays so, unless the declaration has `publish: true`. */
  isUnpublished: boolean
  secret: string | null
  /** API keys that this call issued. */
  readonly keys: { [name: string]: string }
}

/** Creates `setup` on the calls of the administration. */
export const makeSetup = (ledger: Ledger): Setup => {
  const setup = async (
    declaration: Declaration,
    options: SetupOptions = {}
  ): Promise<Made<Declaration, string | null>> => {
    const invalid = declarationProblems(declaration, options)
    if (invalid.length > 0) throw new SetupError({ problems: invalid })
    const { onDrift = "apply", prune = false } = options
    const isListing = onDrift === "list"
    const providersOf = await providers(ledger)

    const workspace = await workspaceOf(ledger, declaration.workspace, onDrift)
    const parts = partsOf(declaration)
    const workspaceId = workspace.id
    const references = { ...referencesOf(parts, workspaceId ?? ""), providersOf }
    if (workspaceId === null) {
      // Only while listing: otherwise the workspace exists now.
      const missing = parts
        .flatMap((part) => [part.label, ...keysOf(part).map(({ label }) => label)])
        .map((part) => difference(part, "missing"))
      return madeOf(null, parts, [...workspace.differences, ...missing])
    }

    const scope: NameScope = { workspaceId }
    const names = await ledger.parts(scope)
    const problems: Array<SetupProblem> = []
    for (const part of parts) problems.push(...(await inspect(ledger, part, names.get(part.key), references)))
    problems.push(...sharedIds(parts))
    if (problems.length > 0) throw new SetupError({ problems })

    const changed = parts.filter(({ fields }) => fields.length > 0)
    const gone = parts.filter(({ isGone }) => isGone).map(({ label }) => difference(label, "gone"))
    const refused = [
      ...workspace.differences.filter(({ kind }) => kind === "changed"),
      ...gone,
      ...changed.filter(({ isUnfinished }) => !isUnfinished).map(changedPart)
    ]
    if (onDrift === "refuse" && refused.length > 0) throw new SetupError({ differences: refused })
    const missing = parts.flatMap((part) => [
      ...(part.id === null && !part.isGone ? [difference(part.label, "missing")] : []),
      ...keysOf(part).flatMap(({ key, label }) => (names.has(key) ? [] : [difference(label, "missing")]))
    ])
    const undeclared = undeclaredOf(parts, names)
    const differences = [
      ...workspace.differences,
      ...missing,
      ...gone,
      ...changed.map(changedPart),
      ...undeclared.map(({ label }) => difference(label, "undeclared"))
    ]
    if (isListing) return madeOf(workspaceId, parts, differences)

    let current = "workspace"
    try {
      await workspace.apply()
      for (const part of parts) {
        current = part.label
        await settle(ledger, part, scope, references, onDrift === "refuse")
      }
      for (const part of prune ? undeclared : []) {
        current = part.label
        await pruned(ledger, part, scope, names)
      }
    } catch (error) {
      // No later call returns the secrets that this one has made.
      throw withMade(error, current, madeOf(workspaceId, parts, differences))
    }
    return madeOf(workspaceId, parts, differences)
  }
  return setup as Setup
}

const difference = (
  part: string,
  kind: Difference["kind"],
  fields: ReadonlyArray<FieldDifference> = []
): Difference => ({ part, kind, fields })

const changedPart = ({ label, fields }: Part): Difference =>
  difference(
    label,
    "changed",
    fields.map(({ field, ...values }) => ({ field: declaredField(field), ...values }))
  )

const declaredFields: { readonly [field: string]: string } = {
  application_id: "application",
  config: "settings",
  connection_ids: "connections"
}

/** The field of a declaration for a field of the admin API or a path in it. */
const declaredField = (field: string): string => {
  const [first = "", ...path] = field.split(".")
  return [Object.hasOwn(declaredFields, first) ? declaredFields[first] : first, ...path].join(".")
}

const labelOf = (key: string): string => key.replaceAll("/", ".")

const partsOf = (declaration: Declaration): ReadonlyArray<Part> =>
  kinds.flatMap((kind) =>
    Object.entries(declaration[kind.section] ?? {}).map(([name, given]) => {
      const key = `${kind.section}/${name}`
      return {
        kind,
        name,
        given: withoutUndefined(given),
        key,
        label: labelOf(key),
        id: null,
        isGone: false,
        isUnnamed: false,
        fields: [],
        isUnfinished: false,
        isUnpublished: false,
        secret: null,
        keys: {}
      }
    })
  )

const withoutUndefined = (fields: object): Body =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** The declared API keys of an application. */
const keysOf = ({ given, key }: Part) =>
  ((given.keys ?? []) as ReadonlyArray<string>).map((name) => {
    const own = `${key}/keys/${name}`
    return { name, key: own, label: labelOf(own) }
  })

const referencesOf = (parts: ReadonlyArray<Part>, workspaceId: string): Omit<References, "providersOf"> => ({
  workspaceId,
  idOf: (section: Section, name: string) =>
    parts.find((part) => part.kind.section === section && part.name === name)?.id ?? null
})

const providers = async ({ admin }: Ledger): Promise<(channel: unknown) => ReadonlyArray<string>> => {
  const { data } = await admin.connections.providers()
  return (channel) => {
    const all = data.filter(({ channels }) => (channels as ReadonlyArray<unknown>).includes(channel))
    const real = all.filter(({ kind }) => kind !== sandboxKind)
    return (real.length === 0 ? all : real).map(({ kind }) => kind)
  }
}

/** The workspace of a declaration, and its own differences. Created or named now, unless while listing. */
const workspaceOf = async (
  ledger: Ledger,
  declared: Declaration["workspace"],
  onDrift: NonNullable<SetupOptions["onDrift"]>
): Promise<{
  readonly id: string | null
  readonly differences: ReadonlyArray<Difference>
  readonly apply: () => Promise<void>
}> => {
  const { id: givenId, ...body } = typeof declared === "string" ? { name: declared } : declared
  const wire = { ...withoutUndefined(body), name: body.name }
  const scope: NameScope = { workspaceName: body.name }
  const key = "workspace"
  const named = (await ledger.parts(scope)).get(key)
  if (named !== undefined && givenId !== undefined && named.id !== givenId) {
    throw problem("workspace", `has the id ${named.id}, not the declared one`, "id")
  }
  const isListing = onDrift === "list"
  const id = named?.id ?? givenId ?? (await idByName(ledger, body.name))
  if (id === null) {
    if (isListing) return { id, differences: [difference(key, "missing")], apply: async () => {} }
    const { data } = await attempting(key, ledger.naming(scope).workspaces.create(wire, { idempotencyKey: key }))
    return { id: data.id, differences: [difference(key, "missing")], apply: async () => {} }
  }
  const workspace = await orNull(ledger.admin.workspaces.get(id))
  if (workspace === null) throw problem(key, "is not the id of a workspace", "id")
  const fields = fieldDifferences(wire, workspace.data)
  const patch = Object.fromEntries(fields.map(({ field, declared }) => [field, declared]))
  return {
    id,
    differences: fields.length === 0 ? [] : [difference(key, "changed", fields)],
    apply: async () => {
      if (named === undefined) {
        const part = await ledger.setPart(
          { scope, workspaceId: id, name: key },
          (present) => present ?? { id, pruned: false }
        )
        if (part?.id !== id) throw problem(key, "got the name of another workspace meanwhile", "id")
      }
      if (fields.length > 0) await attempting(key, ledger.admin.workspaces.update(id, patch))
    }
  }
}

/** The workspace of this name that was created by other means; or null. Read only before the first setup. */
const idByName = async ({ admin }: Ledger, name: string): Promise<string | null> => {
  const ids: Array<string> = []
  for await (const workspace of admin.workspaces.listAll({ limit: 100 }))
    if (workspace.name === name) ids.push(workspace.id)
  if (ids.length > 1)
    throw problem("workspace", `is the name of ${ids.length} workspaces: declare one of them by its id`)
  return ids[0] ?? null
}

/** Finds the part of a name and compares it. Returns what contradicts the declaration. */
const inspect = async (
  ledger: Ledger,
  part: Part,
  named: DeclaredPart | undefined,
  references: References
): Promise<ReadonlyArray<SetupProblem>> => {
  const { given, kind, label } = part
  const contradiction = (message: string, field: string | null = "id") => [{ part: label, field, message }]
  const givenId = given.id as string | undefined
  if (named !== undefined && givenId !== undefined && named.id !== givenId) {
    return contradiction(`is not the id of the part with this name, which is ${named.id}`)
  }
  const id = named?.id ?? givenId
  const answer = id === undefined ? null : await orNull(kind.get(ledger.admin, id))
  if (id === undefined || answer === null) {
    if (id !== undefined && named === undefined) return contradiction("is unknown")
    part.isGone = id !== undefined
    if (kind.section !== "connections" || given.provider !== undefined) return []
    const kinds = references.providersOf(given.channel)
    if (kinds.length === 1) return []
    return kinds.length === 0
      ? contradiction("must be a channel of a provider in the option channels of createParley", "channel")
      : contradiction(`must be one of ${kinds.join(", ")}`, "provider")
  }
  const resource = answer.data as Body
  const isForeign = resource.workspace_id !== undefined && resource.workspace_id !== references.workspaceId
  if (isForeign) return contradiction("belongs to another workspace")
  part.id = id
  part.isUnnamed = named === undefined || named.pruned
  part.isUnpublished = resource.status === "unpublished" && named?.pruned !== true && given.publish !== true

  const body = withoutUndefined(kind.bodyOf(given, references))
  const byValue = Object.fromEntries(Object.entries(body).filter(([field]) => !kind.comparedByEngine.includes(field)))
  const differing = (await kind.differences(ledger, id, body)).map((field) => ({
    field,
    declared: body[field],
    present: resource[field]
  }))
  const status = named?.pruned === true ? kind.inService(body) : null
  const restored = status === null ? {} : { status }
  part.fields = [
    ...fieldDifferences({ ...byValue, ...restored }, resource),
    ...differing,
    ...(kind.section === "workflows" && !part.isUnpublished ? unpublished(given, resource) : [])
  ].map((one) => (kind.secret.includes(one.field) ? { ...one, declared: null, present: null } : one))
  part.isUnfinished = resource.status === "draft" && part.fields.every(({ field }) => field === published)
  const fixed = kind.fixed(resource)
  return part.fields.flatMap(({ field }) =>
    fixed.includes(field)
      ? [
          {
            part: label,
            field: declaredField(field),
            message: "cannot be changed: declare a new part under another name"
          }
        ]
      : []
  )
}

const published = "published"

const unpublished = ({ publish = true }: Body, resource: Body): ReadonlyArray<FieldDifference> =>
  publish === false || (resource.status === "published" && resource.has_unpublished_changes === false)
    ? []
    : [{ field: published, declared: true, present: false }]

const fieldDifferences = (body: Body, resource: object): ReadonlyArray<FieldDifference> =>
  Object.entries(body).flatMap(([field, declared]) => {
    const present = (resource as Body)[field]
    return isSame(declared, present) ? [] : [{ field, declared, present }]
  })

/** Lists are sets: scopes, events, connections. Of objects such as limits, the declared fields count. */
const isSame = (declared: unknown, present: unknown): boolean => {
  if (Array.isArray(declared) && Array.isArray(present)) {
    return isDeepStrictEqual(new Set(declared), new Set(present))
  }
  if (typeof declared === "object" && declared !== null && typeof present === "object" && present !== null) {
    return Object.entries(declared).every(
      ([field, value]) => value === undefined || isSame(value, (present as Body)[field])
    )
  }
  return (declared === "" ? null : declared) === present
}

/** Two names of one resource. */
const sharedIds = (parts: ReadonlyArray<Part>): ReadonlyArray<SetupProblem> => {
  const labels = new Map<string, string>()
  return parts.flatMap(({ id, label }) => {
    if (id === null) return []
    const first = labels.get(id)
    if (first === undefined) labels.set(id, label)
    return first === undefined ? [] : [{ part: label, field: "id", message: `is already the id of ${first}` }]
  })
}

/** Creates, changes and names a part. */
const settle = async (
  ledger: Ledger,
  part: Part,
  scope: { readonly workspaceId: string },
  references: References,
  refuses: boolean
): Promise<void> => {
  const { given, key, kind, label, name } = part
  const { workspaceId } = scope
  const place = { scope, workspaceId, name: key }
  if (part.isGone) {
    const { id } = (await ledger.parts(scope)).get(key) ?? { id: null }
    if (id !== null && (await orNull(kind.get(ledger.admin, id))) === null) {
      await ledger.setPart(place, (present) => (present?.id === id ? null : present))
    }
  }
  if (part.id === null) {
    const body = {
      ...withoutUndefined(kind.defaultsOf(given, name, references)),
      ...withoutUndefined(kind.bodyOf(given, references)),
      workspace_id: workspaceId
    }
    const { data, replayed } = await attempting(label, kind.create(ledger.naming(scope), body, key))
    part.id = data.id
    if (replayed) {
      // Another process created it meanwhile, perhaps from another declaration.
      const problems = await inspect(ledger, part, { id: data.id, pruned: false }, references)
      if (problems.length > 0) throw new SetupError({ problems })
      if (refuses && part.fields.length > 0 && !part.isUnfinished) {
        throw new SetupError({ differences: [changedPart(part)] })
      }
    } else {
      part.secret = given.secret === undefined ? (data.secret ?? null) : null
      part.fields = kind.section === "workflows" ? unpublished(given, { status: "draft" }) : []
    }
  }
  const { id } = part
  const body = { ...kind.bodyOf(given, references), status: kind.inService(given) } as Body
  const changed = part.fields.filter(({ field }) => field !== published)
  // The references of a part may have been created only now.
  const patch = Object.fromEntries(changed.map(({ field }) => [field, body[field]]))
  if (changed.length > 0) await attempting(label, kind.update(ledger.admin, id, patch))
  const isPublic = kind.section === "workflows" && given.publish !== false && !part.isUnpublished
  if (isPublic && part.fields.length > 0) await publish(ledger, label, id)
  if (part.isUnnamed) {
    const stored = await ledger.setPart(place, (present) =>
      present === null || present.id === id ? { id, pruned: false } : present
    )
    if (stored?.id !== id) throw problem(label, "got the name of another part meanwhile", "id")
  }
  for (const own of keysOf(part)) {
    const { data, replayed } = await attempting(
      own.label,
      ledger.naming(scope).applications.issueKey(id, { idempotencyKey: own.key })
    )
    if (!replayed) part.keys[own.name] = data.key
  }
}

/** Publishes a workflow as it is. Another process may do so at the same time. */
const publish = async ({ admin }: Ledger, label: string, id: string): Promise<void> => {
  const isPublished = async () => {
    const { data } = await admin.workflows.get(id)
    return data.status === "published" && !data.has_unpublished_changes
  }
  if (await isPublished()) return
  const call = admin.workflows.publish(id).catch(async (error: unknown) => {
    if (!(error instanceof ParleyError && error.code === "invalid_transition" && (await isPublished()))) throw error
  })
  await attempting(label, call)
}

/** A part of an earlier declaration. */
interface Undeclared {
  readonly key: string
  readonly label: string
  readonly id: string
}

/** In the order of removal: what refers to others first. */
const undeclaredOf = (
  parts: ReadonlyArray<Part>,
  names: ReadonlyMap<string, DeclaredPart>
): ReadonlyArray<Undeclared> => {
  const declared = new Set(parts.flatMap((part) => [part.key, ...keysOf(part).map(({ key }) => key)]))
  const rank = (key: string) => kinds.findIndex(({ section }) => key.startsWith(`${section}/`)) + (isKey(key) ? 0.5 : 0)
  return [...names]
    .filter(([key, { pruned }]) => !pruned && !declared.has(key))
    .map(([key, { id }]) => ({ key, label: labelOf(key), id }))
    .sort((one, other) => rank(other.key) - rank(one.key) || one.key.localeCompare(other.key))
}

const isKey = (key: string): boolean => key.split("/").length > 2

const pruned = async (
  ledger: Ledger,
  { id, key, label }: Undeclared,
  scope: { readonly workspaceId: string },
  names: ReadonlyMap<string, DeclaredPart>
): Promise<void> => {
  const kind = kinds.find(({ section }) => key.startsWith(`${section}/`))
  if (kind === undefined) return
  const application = names.get(key.split("/").slice(0, 2).join("/"))?.id
  const removal =
    isKey(key) && application !== undefined
      ? ledger.admin.applications.revokeKey(application, id)
      : kind.prune(ledger.admin, id)
  const existed = await attempting(label, orNull(removal.then(() => true)))
  const survives = existed !== null && kind.survivesPrune && !isKey(key)
  await ledger.setPart({ scope, workspaceId: scope.workspaceId, name: key }, (present) =>
    present?.id === id ? (survives ? { id, pruned: true } : null) : present
  )
}

const madeOf = (
  workspaceId: string | null,
  parts: ReadonlyArray<Part>,
  differences: ReadonlyArray<Difference>
): Made<Declaration, string | null> => {
  const section = <A>(section: Section, made: (part: Part) => A): { readonly [name: string]: A } =>
    Object.fromEntries(parts.filter(({ kind }) => kind.section === section).map((part) => [part.name, made(part)]))
  const withId = ({ id }: Part) => ({ id })
  const withSecret = ({ id, secret }: Part) => ({ id, secret })
  return {
    workspace: { id: workspaceId },
    connections: section("connections", withId),
    templates: section("templates", withId),
    applications: section("applications", ({ id, keys }) => ({ id, keys })),
    endpoints: section("endpoints", withSecret),
    workflows: section("workflows", withSecret),
    differences
  }
}

/** The error of a setup that has begun to change the workspace. `part`: where it failed. */
const withMade = (error: unknown, part: string, made: Made<Declaration, string | null>): SetupError => {
  if (error instanceof SetupError) {
    const { differences, problems } = error
    return new SetupError({ differences, made, problems, ...("cause" in error ? { cause: error.cause } : {}) })
  }
  const message = `failed: ${error instanceof Error ? error.message : String(error)}`
  return new SetupError({ problems: [{ part, field: null, message }], made, cause: error })
}

const problem = (part: string, message: string, field: string | null = null): SetupError =>
  new SetupError({ problems: [{ part, field, message }] })

/** Turns a refusal of the administration into problems of the part. */
const attempting = async <A>(part: string, call: Promise<A>): Promise<A> => {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof ParleyError) || error.status === null || error.status >= 500) throw error
    const byField =
      error.code === "validation_failed"
        ? Object.entries(error.details).flatMap(([field, messages]) =>
            [messages].flat().map((message) => ({ part, field: declaredField(field), message: String(message) }))
          )
        : []
    const problems = byField.length > 0 ? byField : [{ part, field: null, message: `was refused: ${error.message}` }]
    throw new SetupError({ problems, cause: error })
  }
}
