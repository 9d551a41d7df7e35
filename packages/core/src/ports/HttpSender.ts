import { Context, type Effect } from "effect"

/** A POST to a customer's URL. */
export interface OutboundRequest {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  /** Sent as UTF-8. */
  readonly body: string
  /** For everything from DNS to the last byte of the answer. */
  readonly timeoutMs: number
}

/** What came of it. `error` is in our own words, such as `address not allowed`. */
export type OutboundResult =
  | { readonly _tag: "Answered"; readonly status: number; readonly body: string }
  | { readonly _tag: "NotAnswered"; readonly error: string }

/** Outbound HTTP to addresses that customers name, behind the address guard (decisions.md §12). */
export interface HttpSender {
  /** Never fails; redirects are not followed; at most 64 KiB of the answer are read and 4 KiB of it returned. */
  readonly post: (request: OutboundRequest) => Effect.Effect<OutboundResult>
  /** Why this URL may not be registered, in our own words (`must be …`), or null. */
  readonly refusal: (url: string) => string | null
}
export const HttpSender = Context.GenericTag<HttpSender>("@parley/core/HttpSender")
