import { createHash, randomBytes } from "node:crypto"
import { createReadStream, type Stats } from "node:fs"
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Blobs, BlobsUnavailable, limitedBytes } from "@parley/core"
import { Effect, Layer, Option, Stream } from "effect"

/** Where bytes are while they come; what a crash left there is removed once it is this old, in ms. */
const draftsFolder = "incoming"
const draftLifetime = 24 * 60 * 60_000

/**
 * Keeps blobs as files in a folder, for its owner alone to read, which is made where it is missing. A file is written under
 * another name first, flushed, and then renamed, so that there is never half of one. Several processes may share a folder,
 * on one machine or on a network file system that renames atomically.
 *
 * @example
 * ```ts
 * const blobs = FileBlobs.layer("/var/lib/parley/blobs")
 * ```
 */
export const make = (folder: string): Effect.Effect<Blobs> =>
  Effect.as(Effect.ignore(removeOldDrafts(folder)), on(folder))

/** {@link make} as a layer. */
export const layer = (folder: string): Layer.Layer<Blobs> => Layer.effect(Blobs, make(folder))

const on = (folder: string): Blobs => ({
  put: (key, bytes, { limit }) =>
    Effect.flatMap(pathOf(folder, key), (path) =>
      Effect.acquireUseRelease(
        openDraft(folder),
        (draft) =>
          Stream.runFoldEffect(limitedBytes(bytes, limit), 0, (size, chunk) =>
            attempt("written", async () => {
              await draft.file.appendFile(chunk)
              return size + chunk.length
            })
          ).pipe(Effect.tap(attempt("written", () => keep(draft, path)))),
        (draft) =>
          Effect.promise(async () => {
            await draft.file.close()
            await rm(draft.path, { force: true })
          })
      )
    ),
  get: (key) =>
    Effect.flatMap(pathOf(folder, key), (path) =>
      Effect.map(
        attempt("read", () => stat(path).then(Option.some<Stats>, none)),
        Option.map(({ size }) => ({ size, bytes: bytesOf(path) }))
      )
    ),
  remove: (keys) =>
    Effect.forEach(
      keys,
      (key) => Effect.flatMap(pathOf(folder, key), (path) => attempt("removed", () => rm(path, { force: true }))),
      { discard: true }
    )
})

const bytesOf = (path: string): Stream.Stream<Uint8Array, BlobsUnavailable> =>
  Stream.suspend(() => Stream.fromAsyncIterable(createReadStream(path), unavailable("read")))

/** Two levels of folders by the key's hash, since keys that were made one after the other begin alike. */
const pathOf = (folder: string, key: string): Effect.Effect<string> =>
  Effect.suspend(() => {
    // Nothing that a customer or a vendor wrote becomes a key; this is about what we might do wrong.
    if (!/^[a-z0-9-]{1,100}$/.test(key)) return Effect.dieMessage("a blob's key has other than [a-z0-9-]")
    const hash = createHash("sha256").update(key).digest("hex")
    return Effect.succeed(join(folder, hash.slice(0, 2), hash.slice(2, 4), key))
  })

interface Draft {
  readonly path: string
  readonly file: FileHandle
}

const openDraft = (folder: string): Effect.Effect<Draft, BlobsUnavailable> =>
  attempt("written", async () => {
    const path = join(folder, draftsFolder, randomBytes(16).toString("hex"))
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    return { path, file: await open(path, "wx", 0o600) }
  })

/** The draft is the blob from now on, after a loss of power too. */
const keep = async (draft: Draft, path: string): Promise<void> => {
  await draft.file.sync()
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await rename(draft.path, path)
  for (let folder = dirname(path), level = 0; level < 3; folder = dirname(folder), level++) await flush(folder)
}

/** A folder's entries are durable once it is flushed itself. */
const flush = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r")
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const removeOldDrafts = (folder: string) =>
  Effect.gen(function* () {
    const drafts = join(folder, draftsFolder)
    const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
    for (const name of yield* Effect.tryPromise(() => readdir(drafts))) {
      const path = join(drafts, name)
      const { mtimeMs } = yield* Effect.tryPromise(() => stat(path))
      if (mtimeMs < now - draftLifetime) yield* Effect.tryPromise(() => rm(path, { force: true }))
    }
  })

const attempt = <A>(done: string, run: () => Promise<A>): Effect.Effect<A, BlobsUnavailable> =>
  Effect.tryPromise({ try: run, catch: unavailable(done) })

const unavailable =
  (done: string) =>
  (error: unknown): BlobsUnavailable =>
    new BlobsUnavailable({ reason: `a file cannot be ${done} (${codeOf(error)})` })

const none = (error: unknown): Option.Option<Stats> => {
  if (codeOf(error) === "ENOENT") return Option.none()
  throw error
}

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown reason"
