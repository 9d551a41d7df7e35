import type { Operation } from "./Operation.js"
import type { Surface } from "./Surface.js"

/** Where a request leads. `surface` is the one that it belongs to, or would. */
export type Route =
  | {
      readonly _tag: "Found"
      readonly surface: Surface
      readonly operation: Operation
      /** The path's parameters, decoded but not checked. */
      readonly values: { readonly [name: string]: string }
    }
  | { readonly _tag: "WrongMethod"; readonly surface: Surface; readonly allow: string }
  | { readonly _tag: "NotFound"; readonly surface: Surface }

/** Finds the operation of a method and a path without query. */
export type RouteTable = (method: string, path: string) => Route

interface Branch {
  readonly literal: Map<string, Branch>
  /** What follows any one segment. */
  parameter: Branch | null
  readonly ends: Map<string, { readonly operation: Operation; readonly surface: Surface }>
}

const branch = (): Branch => ({ literal: new Map(), parameter: null, ends: new Map() })

/** A table of all operations; where two paths fit, the literal one wins. An unknown path belongs to the surface that shares its first segment. */
export const routeTable = (surfaces: readonly [Surface, ...ReadonlyArray<Surface>]): RouteTable => {
  const root = branch()
  const owners = new Map<string, Surface>()
  for (const surface of surfaces) {
    for (const operation of surface.operations) {
      owners.set(operation.segments[0] ?? "", surface)
      let at = root
      for (const segment of operation.segments) at = segment.startsWith(":") ? anyBelow(at) : literalBelow(at, segment)
      if (at.ends.has(operation.method))
        throw new Error(`Two operations are ${operation.method} /${operation.segments.join("/")}.`)
      at.ends.set(operation.method, { operation, surface })
    }
  }

  return (method, path) => {
    const segments = path.split("/").slice(1)
    const notFound: Route = { _tag: "NotFound", surface: owners.get(segments[0] ?? "") ?? surfaces[0] }
    const given: Array<string> = []
    let at: Branch | null = root
    for (const segment of segments) {
      const literal: Branch | undefined = at.literal.get(segment)
      if (literal === undefined && segment !== "") given.push(segment)
      at = literal ?? (segment === "" ? null : at.parameter)
      if (at === null) return notFound
    }
    const end = at.ends.get(method)
    if (end === undefined) {
      const known = [...at.ends.values()][0]
      if (known === undefined) return notFound
      return { _tag: "WrongMethod", surface: known.surface, allow: [...at.ends.keys()].join(", ") }
    }
    const values = named(end.operation, given)
    return values === null ? notFound : { _tag: "Found", ...end, values }
  }
}

const literalBelow = (at: Branch, segment: string): Branch => {
  const below = at.literal.get(segment) ?? branch()
  at.literal.set(segment, below)
  return below
}

const anyBelow = (at: Branch): Branch => {
  at.parameter ??= branch()
  return at.parameter
}

/** The given segments under the names of the path's parameters, or null where one has a bad escape. */
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
