import type { Annex } from "./Annex.js"
import type { Document } from "./Document.js"
import type { Manner } from "./Manner.js"
import type { Operation } from "./Operation.js"
import type { Surface } from "./Surface.js"

/** Where a request leads, and in which manner it is answered. */
export type Route =
  | {
      readonly _tag: "Found"
      readonly manner: Manner<unknown>
      readonly operation: Operation
      /** The path's parameters, decoded but not checked. */
      readonly values: { readonly [name: string]: string }
    }
  | { readonly _tag: "Readable"; readonly manner: Manner<unknown>; readonly document: Document }
  | {
      readonly _tag: "Annexed"
      readonly manner: Manner<unknown>
      readonly annex: Annex
      /** What follows its name in the path. */
      readonly below: string
    }
  | { readonly _tag: "WrongMethod"; readonly manner: Manner<unknown>; readonly allow: string }
  | { readonly _tag: "NotFound"; readonly manner: Manner<unknown> }

/** Finds the operation of a method and a path without query. */
export type RouteTable = (method: string, path: string) => Route

type Found = Extract<Route, { readonly _tag: "Found" }>
type Readable = Extract<Route, { readonly _tag: "Readable" }>

interface Branch {
  readonly literal: Map<string, Branch>
  /** What follows any one segment. */
  parameter: Branch | null
  /** What is there, by method. */
  readonly ends: Map<string, Omit<Found, "values"> | Readable>
}

const branch = (): Branch => ({ literal: new Map(), parameter: null, ends: new Map() })

/** A table of all operations; where two paths fit, the literal one wins. An unknown path belongs to the surface that shares its first segment. */
export const routeTable = (surfaces: readonly [Surface, ...ReadonlyArray<Surface>]): RouteTable => {
  const root = branch()
  const owners = new Map<string, Surface>()
  const annexes = new Map<string, Annex>()
  for (const surface of surfaces) {
    const { manner } = surface
    const end = (method: string, segments: ReadonlyArray<string>, there: Omit<Found, "values"> | Readable) => {
      owners.set(segments[0] ?? "", surface)
      let at = root
      for (const segment of segments) at = segment.startsWith(":") ? anyBelow(at) : literalBelow(at, segment)
      if (at.ends.has(method)) throw new Error(`Two operations are ${method} /${segments.join("/")}.`)
      at.ends.set(method, there)
    }
    for (const operation of surface.operations) {
      end(operation.method, operation.segments, { _tag: "Found", operation, manner: operation.manner ?? manner })
    }
    for (const document of surface.documents) {
      end("GET", document.path.split("/").slice(1), { _tag: "Readable", document, manner })
    }
    for (const annex of surface.annexes) {
      owners.set(annex.name, surface)
      annexes.set(annex.name, annex)
    }
  }

  return (method, path) => {
    const [before, ...segments] = path.split("/")
    const { manner } = owners.get(segments[0] ?? "") ?? surfaces[0]
    const notFound: Route = { _tag: "NotFound", manner }
    if (before !== "") return notFound
    const annex = annexes.get(segments[0] ?? "")
    if (annex !== undefined) return { _tag: "Annexed", manner, annex, below: path.slice(annex.name.length + 1) }
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
      return { _tag: "WrongMethod", manner: known.manner, allow: [...at.ends.keys()].join(", ") }
    }
    if (end._tag === "Readable") return end
    const values = named(end.operation, given)
    return values === null ? notFound : { ...end, values }
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
