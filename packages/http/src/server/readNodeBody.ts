import type { IncomingMessage } from "node:http"
import { Effect } from "effect"

/** How much of a body that is too large is read and thrown away, so that its client gets to read the answer. */
const discardLimit = 32 * 1_048_576

/**
 * The body of a Node request: all of it, or null where it has more than `limit` bytes. Calls `onCutOff` where more came
 * than anybody would throw away; the connection cannot be used again then. Interrupted when the client goes away.
 */
export const readNodeBody = (
  request: IncomingMessage,
  limit: number,
  onCutOff: () => void
): Effect.Effect<Uint8Array | null> =>
  Effect.async((resume) => {
    if (request.readableEnded) return resume(Effect.die(new Error(alreadyRead)))
    const chunks: Array<Buffer> = []
    let size = 0
    let tooLarge = Number(request.headers["content-length"] ?? 0) > limit

    const onData = (chunk: Buffer) => {
      size += chunk.length
      tooLarge ||= size > limit
      if (!tooLarge) return void chunks.push(chunk)
      chunks.length = 0
      if (size <= discardLimit) return
      onCutOff()
      finish(Effect.succeed(null))
    }
    const onEnd = () => finish(Effect.succeed(tooLarge ? null : Buffer.concat(chunks)))
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

const alreadyRead = "Something read the request's body before Parley did. Mount Parley before any body parser."
