import { lruCache } from "@parley/core"
import { Clock, Deferred, Effect, Exit, FiberId, Option } from "effect"

/** Id of a file at a vendor. */
export interface VendorFile {
  readonly id: string
  /** Whether it was uploaded before this call. */
  readonly isKnown: boolean
}

/**
 * Ids of files that a vendor keeps, so that a file that is sent many times is uploaded once. In memory: after a
 * restart, and in another process, a file is uploaded again. Keys name the account at the vendor and the bytes
 * (docs/reference/provider-contract.md#files-that-a-vendor-keeps).
 */
export interface VendorFiles {
  /**
   * The id of a file. If none is known, `upload` makes it. Concurrent calls with one key share an upload and its
   * failure; if its caller is interrupted, another one uploads.
   */
  readonly idOf: <E>(key: string, upload: Effect.Effect<string, E>) => Effect.Effect<VendorFile, E>
  /** Forgets an id that the vendor does not know any more. Keeps a newer id of the key. */
  readonly forget: (key: string, id: string) => void
}

export interface VendorFilesOptions {
  /** For how long an id is used, in ms: well below the time for which the vendor keeps files. */
  readonly lifetimeMs: number
  /** Maximum number of ids, of which the least recently used ones are forgotten. Default: 1,000. */
  readonly max?: number
}

interface Known {
  readonly id: string
  readonly until: number
}

export const vendorFiles = ({ lifetimeMs, max = 1_000 }: VendorFilesOptions): VendorFiles => {
  const known = lruCache<Known>(max)
  /** None: the caller that uploads was interrupted. */
  const uploading = new Map<string, Deferred.Deferred<Option.Option<string>, unknown>>()

  /** Keeps the id of an upload, and gives its result to the calls that wait for it. */
  const uploadFor =
    (key: string) =>
    <E>(upload: Effect.Effect<string, E>): Effect.Effect<string, E> => {
      const result = Deferred.unsafeMake<Option.Option<string>, unknown>(FiberId.none)
      uploading.set(key, result)
      return Effect.onExit(upload, (exit) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          uploading.delete(key)
          if (Exit.isSuccess(exit)) known.set(key, { id: exit.value, until: now + lifetimeMs })
          return Exit.isInterrupted(exit)
            ? Deferred.succeed(result, Option.none())
            : Deferred.done(result, Exit.map(exit, Option.some))
        })
      )
    }

  const idOf: VendorFiles["idOf"] = <E>(key: string, upload: Effect.Effect<string, E>) =>
    // An entry of `uploading` must end, or all later calls would wait for it.
    Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<VendorFile, E> => {
        const file = known.get(key)
        if (file !== undefined && now < file.until) return Effect.succeed({ id: file.id, isKnown: true })
        const other = uploading.get(key) as Deferred.Deferred<Option.Option<string>, E> | undefined
        if (other === undefined)
          return restore(upload).pipe(
            uploadFor(key),
            Effect.map((id) => ({ id, isKnown: false }))
          )
        return Effect.flatMap(
          restore(Deferred.await(other)),
          Option.match({
            onNone: () => restore(idOf(key, upload)),
            onSome: (id) => Effect.succeed({ id, isKnown: false })
          })
        )
      })
    )

  return {
    idOf,
    forget: (key, id) => {
      if (known.get(key)?.id === id) known.delete(key)
    }
  }
}
