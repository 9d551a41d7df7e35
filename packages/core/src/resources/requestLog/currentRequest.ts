import { Effect, FiberRef, GlobalValue } from "effect"
import type { LoggedRequest } from "../../model/LoggedRequest.js"
import type { RateToken } from "../../ports/Storage.js"

/** What becomes known about a request while it is processed, for the response headers and the request log. */
export interface CurrentRequest {
  /** The application whose valid credential the request has, even if it is refused; null without one. */
  requester: Pick<LoggedRequest, "applicationId" | "workspaceId"> | null
  /** The rate tokens that it took. */
  rateTokens: ReadonlyArray<RateToken>
}

/** The request that a fiber and its children work for; null outside of a request. */
export const currentRequest: FiberRef.FiberRef<CurrentRequest | null> = GlobalValue.globalValue(
  "@parley/core/currentRequest",
  () => FiberRef.unsafeMake<CurrentRequest | null>(null)
)

/**
 * Updates the current request, if there is one. Mutates the record instead of setting the FiberRef, because setting one
 * copies all FiberRefs of the fiber (docs/reference/libraries.md#setting-a-fiberref-copies-all-of-them).
 */
export const noteRequest = (note: (request: CurrentRequest) => void): Effect.Effect<void> =>
  Effect.map(FiberRef.get(currentRequest), (request) => {
    if (request !== null) note(request)
  })
