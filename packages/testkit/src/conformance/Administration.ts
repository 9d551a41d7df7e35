import { expect } from "vitest"
import type { Answer } from "./Answer.js"
import { type Caller, caller, type Query } from "./Caller.js"
import { retryRateLimited } from "./retryRateLimited.js"
import type { Wire } from "./Wire.js"

/**
 * The shape of an administrative resource, limited to the fields that the suite reads: the administration is not part
 * of the tested interface.
 */
export interface Shown {
  readonly id: string
  readonly [field: string]: unknown
}

/**
 * The operations of the administration (docs/reference/administration.md#administration) that the suite needs to create
 * its resources.
 */
export interface Administration {
  readonly caller: Caller
  readonly get: (path: string) => Promise<Shown>
  readonly list: (path: string, query?: Query) => Promise<ReadonlyArray<Shown>>
  readonly post: (path: string, body?: object) => Promise<Shown>
  readonly patch: (path: string, body: object) => Promise<Shown>
  readonly delete: (path: string) => Promise<void>
  /** Whether this deployment has the operation, such as `GET /audit-log`. */
  readonly has: (operation: string) => Promise<boolean>
}

export const administration = (wire: Wire, token: string): Administration => {
  const call = caller(retryRateLimited(wire), "/admin/v1", token)
  const data = ({ json, request, status, text }: Answer): unknown => {
    expect(status, `${request} answered ${status} ${text}`).toBeLessThan(300)
    return (json as { readonly data: unknown }).data
  }
  let described: Promise<ReadonlySet<string>> | undefined
  return {
    caller: call,
    get: async (path) => data(await call.get(path)) as Shown,
    list: async (path, query) => data(await call.get(path, query)) as ReadonlyArray<Shown>,
    post: async (path, body) => data(await call.post(path, body, { key: null })) as Shown,
    patch: async (path, body) => data(await call.patch(path, body)) as Shown,
    delete: async (path) => void data(await call.delete(path)),
    has: async (operation) => {
      described ??= call.get("/openapi.json").then(operationsOf)
      return (await described).has(operation)
    }
  }
}

const operationsOf = ({ json }: Answer): ReadonlySet<string> => {
  const { paths } = json as { readonly paths: { readonly [path: string]: object } }
  return new Set(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`)
    )
  )
}
