import type { ServerResponse } from "node:http"
import { Effect, Stream } from "effect"

/** Writes a stream with backpressure and ends the response. The head is flushed first. */
export const writeNodeBody = (response: ServerResponse, body: Stream.Stream<Uint8Array>): Effect.Effect<void> =>
  Effect.sync(() => response.flushHeaders()).pipe(
    Effect.zipRight(Stream.runForEach(body, (bytes) => write(response, bytes))),
    Effect.zipRight(Effect.sync(() => void response.end()))
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
