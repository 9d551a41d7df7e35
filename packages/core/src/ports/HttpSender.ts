import { Context, type Effect } from "effect"
import type { FetchedFile, FileGone, ProviderUnavailable } from "./ChannelProvider.js"

/** A POST to a customer's URL. */
export interface OutboundRequest {
  readonly url: string
  readonly headers: { readonly [name: string]: string }
  /** Sent as UTF-8. */
  readonly body: string
  /** Total time in ms, from DNS lookup to the last byte of the response. */
  readonly timeoutMs: number
}

/**
 * Result of a POST. `NotAnswered`: no HTTP response; `error` is our wording of the cause, such as `address not
 * allowed`.
 */
export type OutboundResult =
  | { readonly _tag: "Answered"; readonly status: number; readonly body: string }
  | { readonly _tag: "NotAnswered"; readonly error: string }

/**
 * Outbound HTTP to URLs that customers gave: webhooks, and files of messages.
 *
 * Invariants:
 * - Requests to private and reserved addresses are refused, unless the operator allows the address
 *   (docs/reference/webhooks.md#address-rules).
 * - A POST follows no redirects. A GET follows at most three, each to a URL without a {@link HttpSender.refusal}.
 * - At most 64 KiB of a response to a POST are read, and 4 KiB of them returned.
 */
export interface HttpSender {
  /** Sends the request. Never fails: network errors and timeouts are `NotAnswered`. */
  readonly post: (request: OutboundRequest) => Effect.Effect<OutboundResult>
  /**
   * Opens a file. `FileGone`: it answered 4xx, the address is not allowed, or it redirects too often; a retry would not
   * help. Else `ProviderUnavailable`. `timeoutMs` limits the time in ms until the last byte is read. Default: messages
   * with files are refused.
   */
  readonly get?: (url: string, timeoutMs: number) => Effect.Effect<FetchedFile, FileGone | ProviderUnavailable>
  /** Validation message (`must be …`) for a URL that may not be registered; null if it may. */
  readonly refusal: (url: string) => string | null
}
export const HttpSender = Context.GenericTag<HttpSender>("@parley/core/HttpSender")
