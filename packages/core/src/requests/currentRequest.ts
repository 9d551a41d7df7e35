import { Effect, FiberRef, GlobalValue } from "effect"
import type { Drawn } from "../ports/Storage.js"
import type { LoggedRequest } from "./LoggedRequest.js"

/** What is learned about a request while it is answered, for its headers and its line in the log. */
export interface CurrentRequest {
  /** The application whose valid credential it showed, were it let in or not; null where it showed none. */
  requester: Pick<LoggedRequest, "applicationId" | "workspaceId"> | null
  /** What it drew from the buckets. */
  drawn: ReadonlyArray<Drawn>
}

/** The request that a fiber and its children work for; null where there is none. */
export const currentRequest: FiberRef.FiberRef<CurrentRequest | null> = GlobalValue.globalValue(
  "@parley/core/currentRequest",
  () => FiberRef.unsafeMake<CurrentRequest | null>(null)
)

/**
 * Notes something about the request, where there is one. The record is written to, rather than the reference set: a fiber
 * copies all of its references whenever one is set.
 */
export const noteRequest = (note: (request: CurrentRequest) => void): Effect.Effect<void> =>
  Effect.map(FiberRef.get(currentRequest), (request) => {
    if (request !== null) note(request)
  })
