import { once } from "node:events"
import { constants, createWriteStream, type WriteStream } from "node:fs"
import { access, chmod, realpath, rename, rm, stat } from "node:fs/promises"
import type { Writable } from "node:stream"
import { finished } from "node:stream/promises"
import { Data, Effect, Exit } from "effect"

/** A file could not be written. `message` is the reason for the user. */
export class FileNotWritten extends Data.TaggedError("FileNotWritten")<{ readonly message: string }> {}

/**
 * Writes a file that appears under its name only once it is complete: until then it is `<path>.partial`. If `write`
 * fails or is interrupted, an existing file stays as it was. A replaced file keeps its permissions and the links to it;
 * devices and pipes are written directly. Errors of the stream fail its writes.
 */
export const replaceFile = <E>(
  path: string,
  write: (stream: Writable) => Effect.Effect<void, E>
): Effect.Effect<void, E | FileNotWritten> =>
  Effect.scoped(
    Effect.gen(function* () {
      const target = yield* io(() => ifExists(realpath(path), path))
      const old = yield* io(() => ifExists(stat(target), null))
      const isReplaced = old === null || old.isFile()
      const partial = isReplaced ? `${target}.partial` : target
      // A file that may not be written could be replaced all the same.
      if (old !== null) yield* io(() => access(target, constants.W_OK))
      const stream = yield* Effect.acquireRelease(opened(partial, isReplaced), (stream, exit) =>
        Effect.promise(async () => {
          stream.destroy()
          if (isReplaced && Exit.isFailure(exit)) await rm(partial, { force: true })
        })
      )
      yield* write(stream)
      yield* io(async () => {
        await finished(stream.end())
        if (!isReplaced) return
        if (old !== null) await chmod(partial, old.mode & 0o7777)
        await rename(partial, target)
      })
    })
  )

/** Opens a file that does not exist, or an existing one that is no file. */
const opened = (path: string, isNew: boolean): Effect.Effect<WriteStream, FileNotWritten> =>
  Effect.suspend(() => {
    const stream = createWriteStream(path, isNew ? { flags: "wx", flush: true } : {}).on("error", () => {})
    return Effect.as(
      Effect.mapError(
        io(() => once(stream, "open")),
        (failed) => (isExisting(stream.errored) ? leftOver(path) : failed)
      ),
      stream
    )
  })

const isExisting = (error: Error | null): boolean => error !== null && "code" in error && error.code === "EEXIST"

const leftOver = (path: string) =>
  new FileNotWritten({
    message: `${path} exists. Another export is running, or one was killed: in this case, remove the file`
  })

/** The value, or `absent` if there is no file. */
const ifExists = <A, B>(value: Promise<A>, absent: B): Promise<A | B> =>
  value.catch((error) => {
    if (error.code === "ENOENT") return absent
    throw error
  })

const io = <A>(work: () => Promise<A>): Effect.Effect<A, FileNotWritten> =>
  Effect.tryPromise({
    try: work,
    catch: (error) => new FileNotWritten({ message: error instanceof Error ? error.message : String(error) })
  })
