import type { OutboundFile } from "@parley/core"
import { Effect, Stream } from "effect"

/**
 * The bytes of a file, for a vendor that takes it in one piece. Fails as if the vendor had not been reached: nothing is
 * sent before they are read.
 */
export const bytesOf = ({
  bytes
}: Pick<OutboundFile, "bytes">): Effect.Effect<
  Uint8Array<ArrayBuffer>,
  { readonly _tag: "Unreachable"; readonly reason: string }
> =>
  Stream.runCollect(bytes).pipe(
    Effect.map((chunks) => new Uint8Array(Buffer.concat([...chunks]))),
    Effect.mapError(({ reason }) => ({ _tag: "Unreachable" as const, reason }))
  )
