import { Effect, Runtime, Stream } from "effect"
import { hasContent, type Incoming, isStream } from "./Incoming.js"
import type { Interpreter } from "./Interpreter.js"

/** A fetch handler, for Hono, Next and their like. They do not tell who calls: give the peer's address where you know it. */
export type WebHandler = (request: Request, connection?: { readonly peer?: string }) => Promise<Response>

/**
 * Serves fetch requests. Without the peer's address all clients without a valid credential share one rate bucket.
 *
 * @example
 * ```ts
 * const handle = yield* webHandler(interpreter)
 * app.mount("/messaging", (request, env) => handle(request, { peer: env.incoming.socket.remoteAddress }))
 * ```
 */
export const webHandler = (
  interpreter: Interpreter,
  options: {
    /** Told of each answer of a length that is read bit by bit, with what resolves once it was, or is not wanted any more. */
    readonly sending?: (sent: Promise<void>) => void
  } = {}
): Effect.Effect<WebHandler> =>
  Effect.map(Effect.runtime<never>(), (runtime) => async (request, connection) => {
    const answer = interpreter.answer({
      method: request.method,
      url: request.url,
      base: new URL(request.url).origin,
      headers: Object.fromEntries(request.headers),
      peer: connection?.peer ?? null,
      body: (limit) => readWebBody(request, limit)
    })
    // A write goes on without its client, as on `node:http`.
    const signal = request.method === "GET" ? { signal: request.signal } : {}
    const { status, headers, body } = await Runtime.runPromise(runtime, answer, signal)
    if (body === "" || !hasContent(status)) return new Response(null, { status, headers })
    if (!isStream(body)) return new Response(body, { status, headers })
    if (request.method === "HEAD") return new Response(null, { status, headers })
    const told = headers["content-length"] === undefined ? body : watched(body, options.sending)
    return new Response(Stream.toReadableStreamRuntime(told, runtime), { status, headers })
  })

const watched = (body: Stream.Stream<Uint8Array>, sending: (sent: Promise<void>) => void = () => {}) => {
  let sent = () => {}
  sending(
    new Promise((resolve) => {
      sent = resolve
    })
  )
  return Stream.ensuring(
    body,
    Effect.sync(() => sent())
  )
}

const readWebBody = (request: Request, limit: number): ReturnType<Incoming["body"]> =>
  Effect.tryPromise(async () => {
    const chunks: Array<Uint8Array> = []
    let size = 0
    const reader = request.body?.getReader()
    for (;;) {
      const next = await reader?.read()
      if (next === undefined || next.done) return size > limit ? null : Buffer.concat(chunks)
      size += next.value.length
      if (size <= limit) chunks.push(next.value)
    }
  }).pipe(
    // The stream fails only where its client went away.
    Effect.catchAll(() => Effect.interrupt)
  )
