import { type HttpApp, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { isPushed, type PushedBody } from "@parley/core"
import { Chunk, Effect, Option, Stream } from "effect"
import { BodyCutOff, hasContent, type Incoming, isStream, type Outgoing } from "./Incoming.js"
import type { Interpreter } from "./Interpreter.js"
import { pushWebBody } from "./pushWebBody.js"

/**
 * Serves as an `HttpApp` of `@effect/platform`, to compose with other routes: `HttpRouter.mountApp("/", httpApp(…))`.
 */
export const httpApp = (interpreter: Interpreter): HttpApp.Default =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
    Effect.map(
      interpreter.answer({
        method: request.method,
        url: request.url,
        headers: request.headers,
        peer: Option.getOrNull(request.remoteAddress),
        bytes: Stream.mapError(request.stream, () => new BodyCutOff()),
        body: (limit, onBytes) => readStream(request, limit, onBytes)
      }),
      response
    )
  )

const response = ({ status, headers, body }: Outgoing): HttpServerResponse.HttpServerResponse => {
  if (body === "" || !hasContent(status)) return HttpServerResponse.empty({ status, headers })
  const options = { status, headers, contentType: headers["content-type"] ?? "application/json" }
  if (typeof body === "string") return HttpServerResponse.text(body, options)
  if (isPushed(body)) return HttpServerResponse.stream(pushed(body), options)
  return isStream(body) ? HttpServerResponse.stream(body, options) : HttpServerResponse.uint8Array(body, options)
}

/** `HttpServerResponse` has no bodies without a fiber, so that each open one holds a fiber here. */
const pushed = (body: PushedBody): Stream.Stream<Uint8Array> =>
  Stream.orDie(Stream.fromReadableStream({ evaluate: () => pushWebBody(body), onError: (error) => error }))

/** Reads a body that is too large to its end without keeping it, so that the client reads the response. */
const readStream = (
  request: HttpServerRequest.HttpServerRequest,
  limit: number,
  onBytes: Parameters<Incoming["body"]>[1]
): ReturnType<Incoming["body"]> =>
  request.stream.pipe(
    Stream.runFold({ chunks: Chunk.empty<Uint8Array>(), size: 0 }, ({ chunks, size }, chunk) => {
      const total = size + chunk.length
      onBytes?.(total, total > limit ? 0 : total)
      return { chunks: total > limit ? Chunk.empty() : Chunk.append(chunks, chunk), size: total }
    }),
    Effect.map(({ chunks, size }) => (size > limit ? null : Buffer.concat(Chunk.toReadonlyArray(chunks)))),
    // The stream only fails if the client disconnected.
    Effect.catchAll(() => Effect.interrupt)
  )
