import { expect } from "vitest"
import type { Answer } from "./Answer.js"
import { type Caller, caller, type Query } from "./Caller.js"
import { patient } from "./patient.js"
import type { Wire } from "./Wire.js"

/** What an administrator is shown: the suite looks at a few fields only, for the administration is no part of the specification. */
export interface Shown {
  readonly id: string
  readonly [field: string]: unknown
}

/** The administration (decisions.md §14), as far as the suite needs it to set its stage. */
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
  const asked = caller(patient(wire), "/admin/v1", token)
  const data = ({ json, request, status, text }: Answer): unknown => {
    expect(status, `${request} answered ${status} ${text}`).toBeLessThan(300)
    return (json as { readonly data: unknown }).data
  }
  let described: Promise<ReadonlySet<string>> | undefined
  return {
    caller: asked,
    get: async (path) => data(await asked.get(path)) as Shown,
    list: async (path, query) => data(await asked.get(path, query)) as ReadonlyArray<Shown>,
    post: async (path, body) => data(await asked.post(path, body, { key: null })) as Shown,
    patch: async (path, body) => data(await asked.patch(path, body)) as Shown,
    delete: async (path) => void data(await asked.delete(path)),
    has: async (operation) => {
      described ??= asked.get("/openapi.json").then(operationsOf)
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
