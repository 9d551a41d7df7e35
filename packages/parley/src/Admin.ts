import { ParleyError } from "@parley/client"
import { type Administration, type Files, Ids, type RateBuckets, type RequestLog } from "@parley/core"
import { adminSurface, type ErrorEnvelope, makeInterpreter, type Surface } from "@parley/http"
import { Effect, Redacted, Runtime } from "effect"
import type { InFlight } from "./InFlight.js"

/** The administration, in process: it needs no token, and is not limited. */
export interface Admin {
  /**
   * Calls `/admin/v1` and answers its body, null where there is none. Rejects with {@link ParleyError}; branch on its `code`.
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
    const guarded = yield* adminSurface(Redacted.make((yield* Ids).secret(32)))
    const surface = { ...guarded, manner: { ...guarded.manner, admission: everybody } }
    const interpreter = yield* makeInterpreter({
      surfaces: [surface],
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

/** Whoever holds the object is let in, and as often as they like. */
const everybody: Surface["manner"]["admission"] = {
  admit: () => Effect.succeed({ actor: "admin" }),
  missingScope: () => null
}
