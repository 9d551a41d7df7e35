import type { ClientRequest, IncomingMessage } from "node:http"
import { pipeline, Readable } from "node:stream"
import { ReadableStream } from "node:stream/web"
import { type HttpBody, HttpClient, HttpClientError, HttpClientResponse } from "@effect/platform"
import { Effect, Stream } from "effect"
import { nodeRequest } from "./nodeRequest.js"

/** An `HttpClient` by {@link nodeRequest}. Keeps connections alive by Node's agents. */
export const nodeHttpClient: HttpClient.HttpClient = HttpClient.make((request, url, signal) => {
  const failed = (cause: unknown) => new HttpClientError.RequestError({ request, reason: "Transport", cause })
  return Effect.flatMap(writerOf(request.body), (write) =>
    nodeRequest(url, { method: request.method, headers: request.headers, signal }, write)
  ).pipe(
    Effect.flatMap((message) =>
      Effect.try({
        try: () => HttpClientResponse.fromWeb(request, responseOf(message)),
        // For example a status beyond 599.
        catch: (cause) => {
          message.destroy()
          return cause
        }
      })
    ),
    Effect.mapError(failed)
  )
})

/** Writes a body and ends the request. */
const writerOf = (body: HttpBody.HttpBody): Effect.Effect<(request: ClientRequest) => void> => {
  switch (body._tag) {
    case "Empty":
      return Effect.succeed((request) => void request.end())
    case "Raw":
    case "Uint8Array":
      return Effect.succeed((request) => void request.end(body.body))
    case "FormData": {
      const form = new Response(body.formData)
      // As a whole, so that the request has the length, which some servers require.
      return Effect.map(
        Effect.promise(() => form.arrayBuffer()),
        (bytes) => (request: ClientRequest) => {
          request.setHeader("content-type", form.headers.get("content-type") ?? "")
          request.end(Buffer.from(bytes))
        }
      )
    }
    case "Stream":
      return Effect.map(
        Stream.toAsyncIterableEffect(body.stream),
        (bytes) => (request: ClientRequest) => pour(bytes, request)
      )
  }
}

const pour = (bytes: AsyncIterable<Uint8Array>, request: ClientRequest): void => {
  // An error is also an event of the request.
  pipeline(Readable.from(bytes, { objectMode: false }), request, () => {})
}

const isWithoutBody = (status: number): boolean => status === 204 || status === 205 || status === 304

/** Reads from the connection only what is read of the body. */
const responseOf = (message: IncomingMessage): Response => {
  const { rawHeaders, statusCode: status = 0 } = message
  const headers = new Headers()
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.append(rawHeaders[i] ?? "", rawHeaders[i + 1] ?? "")
  if (isWithoutBody(status)) {
    message.resume()
    return new Response(null, { status, headers })
  }
  return new Response(ReadableStream.from<Uint8Array>(message), { status, headers })
}
