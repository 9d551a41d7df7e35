import type { Blobs } from "@parley/core"
import { MemoryBlobs } from "@parley/node"
import { Effect, Option, Stream } from "effect"

/** The blob store of all processes of a history. It keeps what it stores when a process crashes. */
export const makeBlobs = (): { readonly blobs: Blobs; readonly contents: Effect.Effect<ReadonlyArray<string>> } => {
  const stored = MemoryBlobs.make()
  const keys = new Set<string>()
  const textOf = (key: string) =>
    Effect.flatMap(stored.get(key), (blob) => Stream.mkString(Stream.decodeText(Option.getOrThrow(blob).bytes)))
  return {
    blobs: {
      ...stored,
      put: (key, bytes, options) => Effect.tap(stored.put(key, bytes, options), () => Effect.sync(() => keys.add(key))),
      remove: (removed) =>
        Effect.tap(stored.remove(removed), () =>
          Effect.sync(() => {
            for (const key of removed) keys.delete(key)
          })
        )
    },
    contents: Effect.orDie(Effect.suspend(() => Effect.forEach([...keys], textOf)))
  }
}
