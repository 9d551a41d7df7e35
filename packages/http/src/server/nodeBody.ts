import type { IncomingMessage } from "node:http"
import { Effect } from "effect"
import type { Incoming } from "./Incoming.js"

/** How much of a body that is too large is read and thrown away, so that its client gets to read the answer. */
const discardLimit = 64 * 1_048_576

/** The body of a Node request, read once. */
export interface NodeBody {
  readonly read: Incoming["body"]
  /** Whether more came than anybody would throw away, so that the connection cannot be used again. */
  readonly isCutOff: () => boolean
}

export const nodeBody = (request: IncomingMessage): NodeBody => {
  let cutOff = false
  const read: NodeBody["read"] = (limit) =>
    Effect.async<Uint8Array | null>((resume) => {
      if (request.readableEnded) {
        return resume(
          Effect.die(new Error("Something read the request's body before Parley. Mount Parley before body parsers."))
        )
      }
      const chunks: Array<Buffer> = []
      let size = 0
      let tooLarge = Number(request.headers["content-length"] ?? 0) > limit
      const onData = (chunk: Buffer) => {
        size += chunk.length
        tooLarge ||= size > limit
        if (!tooLarge) return void chunks.push(chunk)
        chunks.length = 0
        if (size <= discardLimit) return
        cutOff = true
        finish(Effect.succeed(null))
      }
      const onEnd = () =>
        finish(Effect.succeed(tooLarge ? null : chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)))
      const onGone = () => finish(Effect.interrupt)
      const stop = () => {
        request.off("data", onData).off("end", onEnd).off("close", onGone)
      }
      const finish = (outcome: Effect.Effect<Uint8Array | null>) => {
        stop()
        resume(outcome)
      }
      if (request.destroyed) return onGone()
      request.on("data", onData).on("end", onEnd).on("close", onGone).on("error", ignore)
      return Effect.sync(stop)
    })
  return { read, isCutOff: () => cutOff }
}

// `close` follows every error; an error that nobody listens for would end the process.
const ignore = () => {}
