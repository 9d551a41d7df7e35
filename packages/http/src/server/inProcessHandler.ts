import { Effect, Runtime } from "effect"
import type { InProcessIdentity, Outgoing } from "./Incoming.js"
import type { Interpreter } from "./Interpreter.js"

/**
 * A `fetch` for the calls of one caller in this process. It takes a URL below {@link inProcessOrigin} and a body of
 * text or bytes, and reads no other input.
 */
export type InProcessFetch = (url: string, init: InProcessRequest) => Promise<InProcessResponse>

/** Scheme and host of all calls in this process. */
export const inProcessOrigin = "http://localhost"

/**
 * What clients read of a response. A `Response` has streams and `Headers` sort and check, which costs more than the
 * rest of a call's way to the engine.
 */
export interface InProcessResponse {
  readonly status: number
  readonly ok: boolean
  readonly headers: { readonly get: (name: string) => string | null }
  readonly text: () => Promise<string>
}

/** Options of `fetch` that clients use. */
export interface InProcessRequest {
  readonly method?: string | undefined
  readonly headers?: { readonly [name: string]: string } | undefined
  readonly body?: string | Uint8Array | undefined
  readonly signal?: AbortSignal | null | undefined
}

/** The option `fetch` of a client that calls in this process. */
export const clientFetch =
  (call: InProcessFetch): typeof fetch =>
  (url, init) =>
    call(url as string, init as InProcessRequest) as Promise<InProcessResponse & Response>

/**
 * Serves callers of this process: without network, and an application without credential and, unless `limited`, rate
 * limits. The checks, the idempotency and the responses are those of a request.
 */
export const inProcessHandler = (
  interpreter: Interpreter
): Effect.Effect<(identity: InProcessIdentity) => InProcessFetch> =>
  Effect.map(Effect.runtime<never>(), (runtime) => {
    const run = Runtime.runPromise(runtime)
    return (identity) => (url, request) => {
      const { body, headers = {}, method = "GET" } = request
      const answer = interpreter.answer({
        method,
        url: url.slice(inProcessOrigin.length),
        base: inProcessOrigin,
        headers,
        ...identity,
        peer: null,
        isInProcess: true,
        body: (limit) => {
          const bytes = typeof body === "object" ? body : Buffer.from(body ?? "")
          return Effect.succeed(bytes.length > limit ? null : bytes)
        }
      })
      // Writes continue after an abort, as on the network. Do not read the signal of a write: clients make it when it
      // is read.
      const signal = method === "GET" ? request.signal : null
      return run(Effect.map(answer, responseOf), signal == null ? undefined : { signal })
    }
  })

const responseOf = ({ body, headers, status }: Outgoing): InProcessResponse => ({
  status,
  ok: status >= 200 && status <= 299,
  headers: { get: (name) => headers[name.toLowerCase()] ?? null },
  text: async () => (typeof body === "string" ? body : "")
})
