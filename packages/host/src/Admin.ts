import { ParleyError } from "@parley/client"
import { type AdminClient, createAdminClient } from "@parley/client/admin"
import {
  type Administration,
  Declarations,
  type Files,
  Ids,
  type RateBuckets,
  type RequestLog,
  type Uploads
} from "@parley/core"
import {
  type ApiModule,
  adminModule,
  clientFetch,
  type ErrorEnvelope,
  type InProcessFetch,
  type InProcessRequest,
  inProcessHandler,
  inProcessOrigin,
  makeInterpreter,
  namedAdministrator
} from "@parley/http"
import { Effect, Redacted } from "effect"
import type { InFlight } from "./InFlight.js"
import type { OpenTelemetry } from "./openTelemetry.js"
import { runPromise } from "./runPromise.js"
import type { Setup } from "./setup/Declaration.js"
import { makeSetup } from "./setup/setup.js"

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
   * Calls a path below `/admin/v1` and returns the response body; null if empty. Rejects with {@link ParleyError};
   * branch on its `code`.
   */
  readonly request: <Body = unknown>(method: string, path: string, body?: object) => Promise<Body>
}

/** Builds the access, and `setup` on it. */
export const makeAdmin = (
  inFlight: InFlight,
  publicUrl: string | null,
  activeSpan: OpenTelemetry["activeSpan"]
): Effect.Effect<
  { readonly admin: Admin; readonly setup: Setup },
  never,
  Ids | Files | RateBuckets | RequestLog | Uploads | Administration.Administration
> =>
  Effect.gen(function* () {
    const guarded = yield* adminModule(Redacted.make((yield* Ids).secret(32)))
    const module = { ...guarded, policy: { ...guarded.policy, admission: allowEverything } }
    const interpreter = yield* makeInterpreter({
      modules: [module],
      accepts: inFlight.acceptsCalls,
      activeSpan,
      ...(publicUrl === null ? {} : { publicUrl })
    })
    const inProcess = yield* inProcessHandler(interpreter)
    const fetch = (url: string, init: InProcessRequest) => inFlight.addCall(() => inProcess({})(url, init))
    const clientOf = (fetch: InProcessFetch, actor?: string) =>
      createAdminClient({
        baseUrl: inProcessOrigin,
        token: "in-process",
        actor,
        // A call here ends with its work. A repetition would do it twice, such as that of a long import.
        timeoutMs: Number.POSITIVE_INFINITY,
        shutdownSignal: inFlight.shutdownSignal,
        fetch: clientFetch((url, init) => inFlight.addCall(() => fetch(url, init)))
      })
    const declarations = yield* Declarations
    const run = yield* runPromise
    const setup = makeSetup({
      admin: clientOf(inProcess({}), "setup"),
      naming: (scope) => clientOf(inProcess({ declaredIn: declarations.scopeId(scope) }), "setup"),
      parts: (scope) => inFlight.addCall(() => run(declarations.parts(scope))),
      setPart: (name, decide) => inFlight.addCall(() => run(declarations.setPart(name, decide))),
      connectionDifferences: (id, body) => inFlight.addCall(() => run(declarations.connectionDifferences(id, body))),
      isEndpointSecret: (id, secret) => inFlight.addCall(() => run(declarations.isEndpointSecret(id, secret))),
      workflowDifferences: (id, body) => inFlight.addCall(() => run(declarations.workflowDifferences(id, body)))
    })
    const admin: Admin = {
      ...clientOf(inProcess({})),
      request: async <Body>(method: string, path: string, body?: object): Promise<Body> => {
        const response = await fetch(`${inProcessOrigin}/admin/v1${path}`, {
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
    return { admin, setup }
  })

/** Admits every call: access to the object is the authorisation. No rate limit. */
const allowEverything: ApiModule["policy"]["admission"] = {
  admit: (_token, _purpose, _address, incoming) =>
    Effect.map(namedAdministrator(incoming), (caller) => ({ ...caller, declaredIn: incoming.declaredIn })),
  missingScope: () => null
}
