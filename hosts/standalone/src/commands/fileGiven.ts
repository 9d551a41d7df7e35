import { createReadStream } from "node:fs"
import { Effect } from "effect"
import { CommandFailed } from "./CommandFailed.js"
import { pathGiven } from "./pathGiven.js"

/** The most that is read of a file that is taken as a whole, in bytes: the API takes no more. */
export const mostOfFile = 1_048_576

/**
 * The text of a file that somebody named. Fails with why it cannot be read: among others that it is no UTF-8, or has more than
 * {@link mostOfFile}, of which no more is read, since a pipe or a device may have no end.
 */
export const textGiven = (path: string): Effect.Effect<string, CommandFailed> =>
  Effect.tryPromise({
    try: async () => {
      const pieces: Array<Buffer> = []
      for await (const piece of createReadStream(pathGiven(path), { end: mostOfFile })) pieces.push(piece)
      const bytes = Buffer.concat(pieces)
      if (bytes.length > mostOfFile) throw new Error("it may have at most 1 MiB")
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    },
    catch: (error) =>
      new CommandFailed({ message: `${path} cannot be read: ${error instanceof Error ? error.message : error}` })
  })
