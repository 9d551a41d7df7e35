import { type ChannelProvider, CheckOutcome, SendOutcome } from "@parley/core"
import { Effect, Either } from "effect"
import { longestBody, longestText } from "./longestText.js"
import { serve } from "./serve.js"
import { parseVisitorHandle } from "./Visitor.js"
import { makeVisitorLimits, type VisitorBounds } from "./VisitorLimits.js"
import { WebchatConfig } from "./WebchatConfig.js"
import { WebchatCredentials } from "./WebchatCredentials.js"

/** Of {@link webchat}. */
export interface WebchatOptions {
  /** What one process lets visitors do. */
  readonly bounds?: VisitorBounds
}

/**
 * Web chat of our own: a widget for the business's site, and the server behind it at `/inbound/{connection}`. Visitors' handles
 * are `visitor:<uuid>`; those whom the site's server vouches for, `customer:<the site's own id>`. A message that was sent waits
 * in the conversation's feed until its visitor's page takes it, and that page's acknowledgements are the receipts.
 *
 * @example
 * ```ts
 * const parley = await createParley({ storage: { url: "sqlite:./parley.db" }, channels: [webchat()] })
 * ```
 */
export const webchat = (options: WebchatOptions = {}): ChannelProvider => ({
  kind: "webchat",
  channels: ["webchat"],
  config: WebchatConfig,
  credentials: WebchatCredentials,
  capabilities: () => ({
    textMaxLength: longestText,
    templates: false,
    deliveryReceipts: true,
    readReceipts: true,
    serviceWindowHours: null
  }),
  parseHandle: (_channel, handle) => parseVisitorHandle(handle),
  parseOwnHandle: (_channel, handle) => Either.right(handle),
  // It goes nowhere but into the feed, by the commit that records this.
  dedupes: true,
  send: (_connection, _credentials, { id }) =>
    Effect.succeed(SendOutcome.Accepted({ providerMessageId: id, receipts: [] })),
  bodyLimit: longestBody,
  serve: serve(makeVisitorLimits(options.bounds ?? {})),
  setUp: (_connection, _credentials, url) => Effect.succeed(working(`<script src="${url}/widget.js" async></script>`))
})

const working = (script: string): CheckOutcome =>
  CheckOutcome.Working({ detail: `Put this into the pages of your site: ${script}` })
