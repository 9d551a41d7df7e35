import type { HttpClientResponse } from "@effect/platform"
import { type FetchedFile, ProviderUnavailable, second } from "@parley/core"
import { Duration, Stream } from "effect"

/** The idle timeout of a file transfer. */
const timeout = Duration.millis(30 * second)

/** The file in an answer. `contentType`: null if unknown. */
export const fileOf = (
  { stream }: Pick<HttpClientResponse.HttpClientResponse, "stream">,
  contentType: string | null
): FetchedFile => ({
  contentType,
  fileName: null,
  bytes: stream.pipe(
    Stream.mapError(() => new ProviderUnavailable({ reason: "the file broke off" })),
    Stream.timeoutFail(() => new ProviderUnavailable({ reason: "the file stood still" }), timeout)
  )
})
