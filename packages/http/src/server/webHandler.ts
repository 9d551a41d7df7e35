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
export const webHandler = (interpreter: Interpreter): Effect.Effect<WebHandler> =>
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
    const options = request.method === "GET" ? { signal: request.signal } : {}
    const { status, headers, body } = await Runtime.runPromise(runtime, answer, options)
    if (body === "" || !hasContent(status)) return new Response(null, { status, headers })
    if (!isStream(body)) return new Response(body, { status, headers })
    const readable = request.method === "HEAD" ? null : Stream.toReadableStreamRuntime(body, runtime)
    return new Response(readable, { status, headers })
  })

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
