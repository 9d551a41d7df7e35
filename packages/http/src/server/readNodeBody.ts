import type { IncomingMessage } from "node:http"
import { Effect, Stream } from "effect"
import { BodyCutOff } from "./Incoming.js"

/** Bytes of a too large body that are read and discarded above its limit, so that the client reads the response. */
const discardLimit = 32 * 1_048_576

/**
 * Reads the body of a Node request: null if it exceeds `limit` bytes. Calls `onCutOff` if it exceeds the limit by more
 * than {@link discardLimit}, or if it is interrupted; the connection is then not reusable. Interrupted if the client
 * disconnects. Uses the result of a body parser that consumed the request before.
 */
export const readNodeBody = (
  request: IncomingMessage,
  limit: number,
  onCutOff: () => void,
  onBytes: (received: number, kept: number) => void = () => {}
): Effect.Effect<Uint8Array | null> =>
  Effect.async((resume) => {
    if (request.readableEnded) return resume(alreadyRead(request, limit))
    const announced = Number(request.headers["content-length"] ?? 0)
    let tooLarge = announced > limit
    const kept = tooLarge ? noBytes : announced > largeBody ? oneBuffer(announced) : someChunks()
    let size = 0

    const onData = (chunk: Buffer) => {
      size += chunk.length
      tooLarge ||= size > limit
      if (!tooLarge) {
        kept.add(chunk)
        return onBytes(size, size)
      }
      kept.drop()
      onBytes(size, 0)
      if (size <= limit + discardLimit) return
      onCutOff()
      finish(Effect.succeed(null))
    }
    const onEnd = () => finish(Effect.succeed(tooLarge ? null : kept.whole()))
    const onGone = () => finish(Effect.interrupt)
    const stop = () => void request.off("data", onData).off("end", onEnd).off("close", onGone)
    const finish = (outcome: Effect.Effect<Uint8Array | null>) => {
      stop()
      resume(outcome)
    }

    if (request.destroyed) return onGone()
    // `close` follows every error; an `error` event without listener would end the process.
    request
      .on("data", onData)
      .on("end", onEnd)
      .on("close", onGone)
      .on("error", () => {})
    return Effect.sync(() => {
      stop()
      if (!request.destroyed) onCutOff()
    })
  })

/** The body of a Node request as it arrives, or as a body parser has left it. */
export const nodeBytes = (request: IncomingMessage): Stream.Stream<Uint8Array, BodyCutOff> =>
  request.readableEnded
    ? Stream.fromEffect(
        Effect.map(alreadyRead(request, Number.POSITIVE_INFINITY), (bytes) => bytes ?? new Uint8Array())
      )
    : Stream.fromAsyncIterable<Uint8Array, BodyCutOff>(
        // The rest is discarded, and the response is written, after a stream that was not read to its end.
        { [Symbol.asyncIterator]: () => request.iterator({ destroyOnReturn: false }) },
        () => new BodyCutOff()
      )

/** Buffer of a body that is being received. */
interface Kept {
  readonly add: (chunk: Buffer) => void
  readonly drop: () => void
  readonly whole: () => Buffer
}

const noBytes: Kept = { add: () => {}, drop: () => {}, whole: () => Buffer.alloc(0) }

const someChunks = (): Kept => {
  const chunks: Array<Buffer> = []
  return {
    add: (chunk) => void chunks.push(chunk),
    drop: () => {
      chunks.length = 0
    },
    whole: () => (chunks.length === 1 && chunks[0]) || Buffer.concat(chunks)
  }
}

/**
 * In bytes. Larger bodies are copied into one buffer as they arrive: concatenating chunks at the end would need the
 * memory twice.
 */
const largeBody = 65_536

/**
 * For a body with a `Content-Length`: Node's parser delivers no more bytes than that. The buffer grows with the bytes
 * that arrive: a client that announces a large body and sends nothing needs no memory.
 */
const oneBuffer = (length: number): Kept => {
  let buffer = Buffer.allocUnsafeSlow(largeBody)
  let size = 0
  return {
    add: (chunk) => {
      if (size + chunk.length > buffer.length) {
        const larger = Buffer.allocUnsafeSlow(Math.min(length, Math.max(2 * buffer.length, size + chunk.length)))
        buffer.copy(larger, 0, 0, size)
        buffer = larger
      }
      size += chunk.copy(buffer, size)
    },
    drop: () => {},
    whole: () => buffer.subarray(0, size)
  }
}

const alreadyRead = (request: IncomingMessage, limit: number): Effect.Effect<Uint8Array | null> => {
  const bytes = parsedBody(request)
  if (bytes === null) return Effect.die(new Error(nothingLeft))
  return Effect.succeed(bytes.length > limit ? null : bytes)
}

const nothingLeft =
  "The request's body was read before Parley got the request, and neither request.rawBody nor request.body is set. Mount Parley before any body parser, or have the parser keep the body in request.body or, as bytes, in request.rawBody."

/**
 * Bytes of a body that a body parser has consumed: `rawBody` if present, else `body` serialised again. Null if neither
 * is present.
 */
const parsedBody = (request: IncomingMessage): Uint8Array | null => {
  if ("rawBody" in request && request.rawBody instanceof Uint8Array) return request.rawBody
  const body = "body" in request ? request.body : undefined
  if (body instanceof Uint8Array) return body
  if (typeof body === "string") return Buffer.from(body)
  if (body === undefined) return null
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(request.headers["content-type"] ?? "")
  return Buffer.from(isForm ? formOf(body) : JSON.stringify(body))
}

const formOf = (fields: unknown): string => {
  const form = new URLSearchParams()
  for (const [name, value] of Object.entries(fields ?? {})) {
    for (const item of Array.isArray(value) ? value : [value]) form.append(name, String(item))
  }
  return form.toString()
}
