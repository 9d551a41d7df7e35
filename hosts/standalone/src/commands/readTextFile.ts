import { createReadStream } from "node:fs"
import { Effect } from "effect"
import { CommandFailed } from "./CommandFailed.js"
import { resolvePath } from "./resolvePath.js"

/** The maximum size of a file that is read as a whole, in bytes: that of a request of the API. */
export const maxFileBytes = 1_048_576

/**
 * The bytes of a file. Fails if it cannot be read, or is larger than `maxBytes` (by default {@link maxFileBytes}).
 * No more is read, since a pipe or a device may be endless.
 */
export const readFileBytes = (path: string, maxBytes: number = maxFileBytes): Effect.Effect<Buffer, CommandFailed> =>
  reading(path, async () => {
    const pieces: Array<Buffer> = []
    for await (const piece of createReadStream(resolvePath(path), { end: maxBytes })) pieces.push(piece)
    const bytes = Buffer.concat(pieces)
    if (bytes.length > maxBytes) throw new Error(`it may have at most ${maxBytes / 1_048_576} MiB`)
    return bytes
  })

/** The text of a file. Fails as {@link readFileBytes} does, and if it is not UTF-8. */
export const readTextFile = (path: string): Effect.Effect<string, CommandFailed> =>
  Effect.flatMap(readFileBytes(path), (bytes) =>
    reading(path, async () => new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  )

const reading = <A>(path: string, read: () => Promise<A>): Effect.Effect<A, CommandFailed> =>
  Effect.tryPromise({
    try: read,
    catch: (error) =>
      new CommandFailed({ message: `${path} cannot be read: ${error instanceof Error ? error.message : error}` })
  })
