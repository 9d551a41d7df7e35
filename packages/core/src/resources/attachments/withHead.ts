import { Chunk, Effect, Option, type Scope, Stream } from "effect"
import { signatureBytes } from "./typeOfFile.js"

/** The first bytes of a stream, at least {@link signatureBytes} if there are so many, and the whole stream. */
export const withHead = <E>(
  given: Stream.Stream<Uint8Array, E>
): Effect.Effect<{ readonly head: Uint8Array; readonly bytes: Stream.Stream<Uint8Array, E> }, E, Scope.Scope> =>
  Effect.gen(function* () {
    const pull = yield* Stream.toPull(given)
    const parts: Array<Uint8Array> = []
    let size = 0
    while (size < signatureBytes) {
      const next = yield* Effect.catchAll(
        Effect.asSome(pull),
        Option.match({
          onNone: () => Effect.succeed(Option.none<Chunk.Chunk<Uint8Array>>()),
          onSome: (error) => Effect.fail(error)
        })
      )
      if (Option.isNone(next)) return { head: Buffer.concat(parts), bytes: Stream.fromIterable(parts) }
      for (const part of next.value) {
        parts.push(part)
        size += part.length
      }
    }
    const rest = Stream.repeatEffectChunkOption(pull)
    return { head: Buffer.concat(parts), bytes: Stream.concat(Stream.fromChunk(Chunk.fromIterable(parts)), rest) }
  })
