import type { SendOutcome } from "../../ports/ChannelProvider.js"
import type { FeedKey } from "../conversations/FeedUpdates.js"

/** Result of a send attempt, for the request that waits for it. */
export type Verdict =
  /** `feed`: the feed to which the message was appended, and its new length; null on channels without a feed. */
  | { readonly _tag: "Accepted"; readonly feed: (FeedKey & { readonly fed: number }) | null }
  /** The send will be retried: there is no verdict yet. */
  | { readonly _tag: "Postponed" }
  /** `freed`: the key was freed before it was replayed, so the response is 502. */
  | {
      readonly _tag: "Rejected"
      readonly freed: boolean
      readonly outcome: SendOutcome & { readonly _tag: "Rejected" }
    }
