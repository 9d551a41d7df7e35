import { randomUUID } from "node:crypto"
import type { Answer } from "./Answer.js"
import type { Question, Wire } from "./Wire.js"

/** The headers of a POST. */
export interface PostOptions {
  /** The `Idempotency-Key`: a new one if undefined, none if null. */
  readonly key?: string | null
  readonly headers?: { readonly [name: string]: string }
  readonly raw?: string | Uint8Array
}

/** A client with a credential. Paths are relative to its prefix. */
export interface Caller {
  readonly ask: (method: string, path: string, more?: Omit<Question, "method" | "path">) => Promise<Answer>
  readonly get: (path: string, query?: Query) => Promise<Answer>
  readonly post: (path: string, body: unknown, options?: PostOptions) => Promise<Answer>
  readonly patch: (path: string, body: unknown) => Promise<Answer>
  readonly delete: (path: string) => Promise<Answer>
  /** Requests a link of a response. */
  readonly follow: (link: string) => Promise<Answer>
}

export type Query = { readonly [name: string]: string | number | boolean }

/** A client of `/api/v1` or `/admin/v1` with this token; null: without a credential. */
export const caller = (wire: Wire, prefix: "/api/v1" | "/admin/v1", token: string | null): Caller => {
  const ask: Caller["ask"] = (method, path, more) => wire({ method, path: prefix + path, token, ...more })
  return {
    ask,
    get: (path, query = {}) => ask("GET", withQuery(path, query)),
    post: (path, body, { key = freshKey(), headers = {}, raw } = {}) =>
      ask("POST", path, {
        body,
        ...(raw === undefined ? {} : { raw }),
        headers: { ...(key === null ? {} : { "idempotency-key": key }), ...headers }
      }),
    patch: (path, body) => ask("PATCH", path, { body }),
    delete: (path) => ask("DELETE", path),
    follow: (link) => {
      const { pathname, search } = new URL(link)
      return wire({ method: "GET", path: pathname + search, token })
    }
  }
}

/** A key that was never used before. */
export const freshKey = (): string => `conformance-${randomUUID()}`

const withQuery = (path: string, query: Query): string => {
  const text = Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&")
  return text === "" ? path : `${path}?${text}`
}
