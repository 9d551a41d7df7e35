import type { IncomingMessage } from "node:http"
import { Effect } from "effect"
import { parsedBody } from "./parsedBody.js"

/** How much more of a body that is too large is read and thrown away, so that its client gets to read the answer. */
const discardLimit = 32 * 1_048_576

/**
 * The body of a Node request: all of it, or null where it has more than `limit` bytes. Calls `onCutOff` where more came
 * than anybody would throw away; the connection cannot be used again then. Interrupted when the client goes away. What a
 * body parser has read before is taken from where it left it.
 */
export const readNodeBody = (
  request: IncomingMessage,
  limit: number,
  onCutOff: () => void
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
      if (!tooLarge) return kept.add(chunk)
      kept.drop()
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
    // `close` follows every error; an error that nobody listens for would end the process.
    request
      .on("data", onData)
      .on("end", onEnd)
      .on("close", onGone)
      .on("error", () => {})
    return Effect.sync(stop)
  })

/** What is kept of a body while it comes. */
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

/** Bodies above this are written into one buffer as they come, in bytes: joined at the end, they would be there twice. */
const largeBody = 65_536

/** For a body whose length its head tells: Node ends the request there. */
const oneBuffer = (length: number): Kept => {
  const buffer = Buffer.allocUnsafeSlow(length)
  let size = 0
  return {
    add: (chunk) => {
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
  "Something read the request's body before Parley did, and left nothing of it. Mount Parley before any body parser, or have the parser keep the body in request.body or, as bytes, in request.rawBody."
