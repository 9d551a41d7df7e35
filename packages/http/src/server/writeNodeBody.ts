import type { ServerResponse } from "node:http"
import { Effect, Stream } from "effect"

/** Writes a body as it comes, no faster than the client takes it, and ends the response. Its head is sent at once. */
export const writeNodeBody = (response: ServerResponse, body: Stream.Stream<Uint8Array>): Effect.Effect<void> =>
  Effect.sync(() => response.flushHeaders()).pipe(
    Effect.zipRight(Stream.runForEach(body, (bytes) => write(response, bytes))),
    Effect.zipRight(Effect.sync(() => void response.end()))
  )

/** Resumes once the client has room for more. Where it is gone, never: whoever writes is interrupted then. */
const write = (response: ServerResponse, bytes: Uint8Array): Effect.Effect<void> =>
  Effect.async((resume) => {
    if (response.write(bytes)) return resume(Effect.void)
    const onDrain = () => resume(Effect.void)
    response.once("drain", onDrain)
    return Effect.sync(() => void response.off("drain", onDrain))
  })
