import type { FeedKey } from "../conversations/FeedNews.js"
import type { SendOutcome } from "../ports/ChannelProvider.js"

/** What became of the send, for the one who waits. */
export type Verdict =
  /** `feed`: where it was put for its customer to fetch, and how long that feed is with it. */
  | { readonly _tag: "Accepted"; readonly feed: (FeedKey & { readonly fed: number }) | null }
  /** It will be tried again: there is no verdict yet. */
  | { readonly _tag: "Postponed" }
  /** `freed`: nobody replayed the key before, so that the answer is 502. */
  | {
      readonly _tag: "Rejected"
      readonly freed: boolean
      readonly outcome: SendOutcome & { readonly _tag: "Rejected" }
    }
