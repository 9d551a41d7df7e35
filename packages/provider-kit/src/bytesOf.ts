import { type OutboundFile, second } from "@parley/core"
import { Duration, Effect, Stream } from "effect"

/** Timeout of {@link bytesOf}, in ms. */
export const bytesTimeout = 30 * second

/**
 * The bytes of a file, for a vendor that takes it in one piece. Fails as if the vendor had not been reached, also after
 * {@link bytesTimeout}: nothing is sent before they are read.
 */
export const bytesOf = ({
  bytes
}: Pick<OutboundFile, "bytes">): Effect.Effect<
  Uint8Array<ArrayBuffer>,
  { readonly _tag: "Unreachable"; readonly reason: string }
> =>
  Stream.runCollect(bytes).pipe(
    Effect.map((chunks) => new Uint8Array(Buffer.concat([...chunks]))),
    Effect.mapError(({ reason }) => unreachable(reason)),
    Effect.timeoutFail({
      duration: Duration.millis(bytesTimeout),
      onTimeout: () => unreachable("the file could not be read in time")
    })
  )

const unreachable = (reason: string) => ({ _tag: "Unreachable" as const, reason })
