import type { ServerResponse } from "node:http"
import { type Chunk, Effect, type Option, Stream } from "effect"

/** Writes a stream with backpressure and ends the response. The head is flushed first. */
export const writeNodeBody = (response: ServerResponse, body: Stream.Stream<Uint8Array>): Effect.Effect<void> =>
  Effect.sync(() => response.flushHeaders()).pipe(
    Effect.zipRight(Effect.scoped(Effect.flatMap(Stream.toPull(body), (pull) => writeAll(response, pull)))),
    Effect.zipRight(Effect.sync(() => void response.end()))
  )

/** Pulls in the same fiber: running a stream forks another one, which a stream that lives for minutes would hold. */
const writeAll = (
  response: ServerResponse,
  pull: Effect.Effect<Chunk.Chunk<Uint8Array>, Option.Option<never>>
): Effect.Effect<void> =>
  pull.pipe(
    Effect.flatMap((chunks) => Effect.forEach(chunks, (bytes) => write(response, bytes), { discard: true })),
    Effect.forever,
    // The stream never fails: this is its end.
    Effect.catchAll(() => Effect.void)
  )

/**
 * Resumes once the socket has room. Never resumes after the client disconnected: the caller interrupts the writer then.
 */
const write = (response: ServerResponse, bytes: Uint8Array): Effect.Effect<void> =>
  Effect.async((resume) => {
    if (response.write(bytes)) return resume(Effect.void)
    const onDrain = () => resume(Effect.void)
    response.once("drain", onDrain)
    return Effect.sync(() => void response.off("drain", onDrain))
  })
