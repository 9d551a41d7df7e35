import { Clock, Effect } from "effect"
import { isUsable, type Upload } from "../../model/Upload.js"
import { type ReadError, readByIds, type Storage } from "../../ports/Storage.js"

/** The uploads that the files of a message name and their owner, see `Upload.applicationId`, may send now. */
export const usableUploads = (
  storage: Pick<Storage, "read">,
  ownerId: string,
  files: ReadonlyArray<{ readonly attachmentId: string | null }>
): Effect.Effect<ReadonlyArray<Upload>, ReadError> => {
  const ids = new Set(files.flatMap(({ attachmentId }) => attachmentId?.toLowerCase() ?? []))
  if (ids.size === 0) return Effect.succeed([])
  return Effect.zipWith(readByIds(storage, { uploads: [...ids] }), Clock.currentTimeMillis, ({ uploads }, now) =>
    [...uploads.values()].filter((upload) => isUsable(upload, ownerId, now))
  )
}
