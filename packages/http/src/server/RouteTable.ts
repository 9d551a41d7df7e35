import type { ApiModule } from "./ApiModule.js"
import type { Document } from "./Document.js"
import type { EndpointPolicy } from "./EndpointPolicy.js"
import type { MountedHandler } from "./MountedHandler.js"
import type { Operation } from "./Operation.js"

/** Route of a request, with the policy that applies to it. */
export type Route =
  | {
      readonly _tag: "Found"
      readonly policy: EndpointPolicy<unknown>
      readonly operation: Operation
      /** Path parameters, decoded but not validated. */
      readonly values: { readonly [name: string]: string }
    }
  | { readonly _tag: "Readable"; readonly policy: EndpointPolicy<unknown>; readonly document: Document }
  | {
      readonly _tag: "Mounted"
      readonly policy: EndpointPolicy<unknown>
      readonly mountedHandler: MountedHandler
      /** Path after the name of the mounted handler. */
      readonly below: string
    }
  | { readonly _tag: "WrongMethod"; readonly policy: EndpointPolicy<unknown>; readonly allow: string }
  | {
      readonly _tag: "NotFound"
      readonly policy: EndpointPolicy<unknown>
      /** Path before that of an interface, such as `/messaging` of `/messaging/api/v1/messages`; null without one. */
      readonly prefix: string | null
    }

/** Resolves a method and a path without query. */
export type RouteTable = (method: string, path: string) => Route

type Found = Extract<Route, { readonly _tag: "Found" }>
type Readable = Extract<Route, { readonly _tag: "Readable" }>

interface Branch {
  readonly literal: Map<string, Branch>
  /** Branch below a parameter segment. */
  parameter: Branch | null
  /** Routes that end here, by method. */
  readonly ends: Map<string, Omit<Found, "values"> | Readable>
}

const branch = (): Branch => ({ literal: new Map(), parameter: null, ends: new Map() })

/**
 * Route table of all modules. Literal segments take precedence over parameters. An unknown path belongs to the module
 * that shares its first segment.
 */
export const routeTable = (modules: readonly [ApiModule, ...ReadonlyArray<ApiModule>]): RouteTable => {
  const root = branch()
  const owners = new Map<string, ApiModule>()
  const mountedHandlers = new Map<string, MountedHandler>()
  for (const module of modules) {
    const { policy } = module
    const end = (method: string, segments: ReadonlyArray<string>, there: Omit<Found, "values"> | Readable) => {
      owners.set(segments[0] ?? "", module)
      let at = root
      for (const segment of segments) at = segment.startsWith(":") ? anyBelow(at) : literalBelow(at, segment)
      if (at.ends.has(method)) throw new Error(`Two operations are ${method} /${segments.join("/")}.`)
      at.ends.set(method, there)
    }
    for (const operation of module.operations) {
      end(operation.method, operation.segments, { _tag: "Found", operation, policy: operation.policy ?? policy })
    }
    for (const document of module.documents) {
      end("GET", document.path.split("/").slice(1), { _tag: "Readable", document, policy })
    }
    for (const mountedHandler of module.mountedHandlers) {
      owners.set(mountedHandler.name, module)
      mountedHandlers.set(mountedHandler.name, mountedHandler)
    }
  }

  return (method, path) => {
    const [before, ...segments] = path.split("/")
    const { policy } = owners.get(segments[0] ?? "") ?? modules[0]
    const notFound = (): Route => ({
      _tag: "NotFound",
      policy,
      prefix: before === "" ? prefixOf(segments, root) : null
    })
    if (before !== "") return notFound()
    const mountedHandler = mountedHandlers.get(segments[0] ?? "")
    if (mountedHandler !== undefined)
      return { _tag: "Mounted", policy, mountedHandler, below: path.slice(mountedHandler.name.length + 1) }
    const given: Array<string> = []
    let at: Branch | null = root
    for (const segment of segments) {
      const literal: Branch | undefined = at.literal.get(segment)
      if (literal === undefined && segment !== "") given.push(segment)
      at = literal ?? (segment === "" ? null : at.parameter)
      if (at === null) return notFound()
    }
    // HEAD is served as GET; the transport leaves out the body.
    const end = at.ends.get(method) ?? (method === "HEAD" ? at.ends.get("GET") : undefined)
    if (end === undefined) {
      const known = [...at.ends.values()][0]
      if (known === undefined) return notFound()
      return { _tag: "WrongMethod", policy: known.policy, allow: allowed([...at.ends.keys()]) }
    }
    if (end._tag === "Readable") return end
    const values = named(end.operation, given)
    return values === null ? notFound() : { _tag: "Found", policy: end.policy, operation: end.operation, values }
  }
}

/** The path before that of an operation, if it could be a mount path. */
const prefixOf = (segments: ReadonlyArray<string>, root: Branch): string | null => {
  const start = segments.findIndex((segment, at) => root.literal.get(segment)?.literal.has(segments[at + 1] ?? ""))
  const prefix = `/${segments.slice(0, Math.max(0, start)).join("/")}`
  return prefix.length <= maxPrefix && /^(\/[\w.~-]+)+$/.test(prefix) ? prefix : null
}

/** Characters of a prefix that a refusal names. */
const maxPrefix = 100

const allowed = (methods: ReadonlyArray<string>): string =>
  methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ")

const literalBelow = (at: Branch, segment: string): Branch => {
  const below = at.literal.get(segment) ?? branch()
  at.literal.set(segment, below)
  return below
}

const anyBelow = (at: Branch): Branch => {
  at.parameter ??= branch()
  return at.parameter
}

/** Values of the path parameters by name; null if a percent escape is malformed. */
const named = (operation: Operation, given: ReadonlyArray<string>): { readonly [name: string]: string } | null => {
  const values: { [name: string]: string } = {}
  let next = 0
  for (const segment of operation.segments) {
    if (!segment.startsWith(":")) continue
    try {
      values[segment.slice(1)] = decodeURIComponent(given[next++] ?? "")
    } catch {
      return null
    }
  }
  return values
}
