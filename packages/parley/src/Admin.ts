import { ParleyError } from "@parley/client"
import { type AdminClient, createAdminClient } from "@parley/client/admin"
import { type Administration, type Files, Ids, type RateBuckets, type RequestLog } from "@parley/core"
import {
  type ApiModule,
  adminModule,
  type ErrorEnvelope,
  type InProcessRequest,
  inProcessHandler,
  makeInterpreter,
  namedAdministrator
} from "@parley/http"
import { Effect, Redacted } from "effect"
import type { InFlight } from "./InFlight.js"

/**
 * In-process access to the administration, without token or rate limits. The calls are those of the client of
 * `@parley/client/admin`, and fail with the same {@link ParleyError}.
 *
 * @example
 * ```ts
 * const { data: workspace } = await parley.admin.workspaces.create({ name: "Acme" })
 * ```
 */
export interface Admin extends AdminClient {
  /**
   * Calls a path below `/admin/v1` and returns the response body; null if empty. Rejects with {@link ParleyError}; branch on its
   * `code`.
   */
  readonly request: <Body = unknown>(method: string, path: string, body?: object) => Promise<Body>
}

const base = "http://localhost"

export const makeAdmin = (
  inFlight: InFlight,
  publicUrl: string | null
): Effect.Effect<Admin, never, Ids | Files | RateBuckets | RequestLog | Administration.Administration> =>
  Effect.gen(function* () {
    const guarded = yield* adminModule(Redacted.make((yield* Ids).secret(32)))
    const module = { ...guarded, policy: { ...guarded.policy, admission: allowEverything } }
    const interpreter = yield* makeInterpreter({
      modules: [module],
      accepts: inFlight.accepts,
      ...(publicUrl === null ? {} : { publicUrl })
    })
    const inProcess = yield* inProcessHandler(interpreter)
    const fetch = (url: string, init: InProcessRequest) => inFlight.addPromise(inProcess({})(url, init))
    return {
      ...createAdminClient({
        baseUrl: base,
        token: "in-process",
        fetch: (url, init) => fetch(url as string, init as InProcessRequest)
      }),
      request: async <Body>(method: string, path: string, body?: object): Promise<Body> => {
        const response = await fetch(`${base}/admin/v1${path}`, {
          method,
          headers: { "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
        const text = await response.text()
        const value = text === "" ? null : JSON.parse(text)
        if (response.ok) return value as Body
        const { code, details, message, request_id } = (value as ErrorEnvelope).error
        throw new ParleyError({ status: response.status, code, message, details, requestId: request_id })
      }
    }
  })

/** Admits every call: access to the object is the authorisation. No rate limit. */
const allowEverything: ApiModule["policy"]["admission"] = {
  admit: (_token, _purpose, _address, incoming) => namedAdministrator(incoming),
  missingScope: () => null
}
