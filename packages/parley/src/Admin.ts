import { ParleyError } from "@parley/client"
import { type Administration, type Files, Ids, type RateBuckets, type RequestLog } from "@parley/core"
import { type ApiModule, adminModule, type ErrorEnvelope, makeInterpreter } from "@parley/http"
import { Effect, Redacted, Runtime } from "effect"
import type { InFlight } from "./InFlight.js"

/** In-process access to the administration, without token or rate limits. */
export interface Admin {
  /**
   * Calls `/admin/v1` and returns the response body; null if empty. Rejects with {@link ParleyError}; branch on its
   * `code`.
   *
   * @example
   * ```ts
   * const { data } = await parley.admin.request<{ data: { id: string } }>("POST", "/workspaces", { name: "Acme" })
   * ```
   */
  readonly request: <Body = unknown>(method: string, path: string, body?: object) => Promise<Body>
}

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
    const run = Runtime.runPromise(yield* Effect.runtime<never>())
    return {
      request: async <Body>(method: string, path: string, body?: object): Promise<Body> => {
        const bytes = Buffer.from(body === undefined ? "" : JSON.stringify(body))
        const answer = interpreter.answer({
          method,
          url: `/admin/v1${path}`,
          base: "http://localhost",
          headers: { "content-type": "application/json" },
          peer: null,
          body: (limit) => Effect.succeed(bytes.length > limit ? null : bytes)
        })
        const { body: text, status } = await inFlight.addPromise(run(answer))
        const value = typeof text === "string" && text !== "" ? JSON.parse(text) : null
        if (status < 400) return value as Body
        const { code, details, message, request_id } = (value as ErrorEnvelope).error
        throw new ParleyError({ status, code, message, details, requestId: request_id })
      }
    }
  })

/** Admits every call: access to the object is the authorisation. No rate limit. */
const allowEverything: ApiModule["policy"]["admission"] = {
  admit: () => Effect.succeed({ actor: "admin" }),
  missingScope: () => null
}
