import { isPushed } from "@parley/core"
import { Effect, Runtime, Stream } from "effect"
import { BodyCutOff, hasContent, type Incoming, isStream } from "./Incoming.js"
import type { Interpreter } from "./Interpreter.js"
import { pushWebBody } from "./pushWebBody.js"

/**
 * A fetch handler for Hono, Next and similar frameworks. Fetch requests do not carry the client's address: pass it as
 * `peer` if known.
 */
export type WebHandler = (request: Request, connection?: { readonly peer?: string }) => Promise<Response>

/**
 * Serves fetch requests. Without `peer`, all unauthenticated clients share one rate bucket.
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
    /**
     * Called for each streamed response with a `Content-Length`. The promise resolves when it was read to its end or
     * cancelled.
     */
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
      bytes:
        request.body === null
          ? Stream.empty
          : Stream.fromReadableStream({
              evaluate: () => request.body as ReadableStream<Uint8Array>,
              onError: () => new BodyCutOff(),
              releaseLockOnEnd: true
            }),
      discard: Effect.suspend(() => readWebBody(request, 0, undefined)),
      body: (limit, onBytes) => readWebBody(request, limit, onBytes)
    })
    // Writes continue after the client disconnects, as on `node:http`.
    const signal = request.method === "GET" ? { signal: request.signal } : {}
    const { status, headers, body } = await Runtime.runPromise(runtime, answer, signal)
    const isEmpty = body === "" || !hasContent(status) || request.method === "HEAD"
    if (isEmpty) return new Response(null, { status, headers })
    if (isPushed(body)) return new Response(pushWebBody(body), { status, headers })
    if (!isStream(body)) return new Response(body, { status, headers })
    const sized = headers["content-length"] === undefined ? body : watched(body, options.sending)
    return new Response(Stream.toReadableStreamRuntime(sized, runtime), { status, headers })
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

const readWebBody = (
  request: Request,
  limit: number,
  onBytes: Parameters<Incoming["body"]>[1]
): ReturnType<Incoming["body"]> =>
  Effect.tryPromise(async (signal) => {
    const chunks: Array<Uint8Array> = []
    let size = 0
    const reader = request.body?.getReader()
    signal.addEventListener("abort", () => void reader?.cancel().catch(() => {}))
    for (;;) {
      const next = await reader?.read()
      if (next === undefined || next.done) return size > limit ? null : Buffer.concat(chunks)
      size += next.value.length
      if (size <= limit) chunks.push(next.value)
      else chunks.length = 0
      onBytes?.(size, size <= limit ? size : 0)
    }
  }).pipe(
    // The stream only fails if the client disconnected.
    Effect.catchAll(() => Effect.interrupt)
  )
