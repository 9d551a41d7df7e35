import { type ChannelProvider, CheckOutcome, ProviderUnavailable, SendOutcome } from "@parley/core"
import { Effect, Either } from "effect"
import { choiceLimits } from "./choiceLimits.js"
import { makeFeedStreams } from "./FeedStreams.js"
import { acceptedTypes, fileLimits, maxFileBytes } from "./files.js"
import { maxBodyBytes, maxTextLength } from "./maxTextLength.js"
import { preChatOf } from "./preChat.js"
import { filesPath, serve } from "./serve.js"
import { parseVisitorHandle } from "./Visitor.js"
import type { VisitorChallenge } from "./VisitorChallenge.js"
import { makeVisitorLimits, type VisitorBounds } from "./VisitorLimits.js"
import { inboundId } from "./visitorMessageOf.js"
import { WebchatConfig } from "./WebchatConfig.js"
import { WebchatCredentials } from "./WebchatCredentials.js"

/** The options of {@link webchat}. */
export interface WebchatOptions {
  /** The limits of visitors in one process. */
  readonly bounds?: VisitorBounds
  /** What new anonymous visitors must answer first, such as `proofOfWork`. Default: nothing. */
  readonly challenge?: VisitorChallenge
}

/**
 * Web chat: a widget for the business's site, and its server at `/inbound/{connection}`. Handles are `visitor:<uuid>`
 * for anonymous visitors, and `customer:<the site's own id>` for customers whose id the site's server signed. A sent
 * message waits in the conversation's feed until the visitor's page fetches it. The page's acknowledgements are the
 * receipts.
 *
 * @example
 * ```ts
 * const parley = await createParley({ storage: { url: "sqlite:./parley.db" }, channels: [webchat()] })
 * ```
 */
export const webchat = (options: WebchatOptions = {}): ChannelProvider => {
  const limits = makeVisitorLimits(options.bounds ?? {})
  const streams = makeFeedStreams(limits.streams)
  return {
    kind: "webchat",
    channels: [{ name: "webchat", identity: null, standard: true }],
    config: WebchatConfig,
    credentials: WebchatCredentials,
    capabilities: ({ config }) => ({
      textMaxLength: maxTextLength,
      templates: false,
      deliveryReceipts: true,
      readReceipts: true,
      serviceWindowHours: null,
      types: ["text", "media", "choices"],
      receives: [
        "text",
        ...(acceptedTypes(config).length === 0 ? [] : ["media" as const]),
        "choice",
        ...(preChatOf(config).length === 0 ? [] : ["form" as const])
      ],
      choices: choiceLimits,
      quotes: true,
      typing: true,
      readMarks: true,
      files: fileLimits
    }),
    parseHandle: (_channel, handle) => parseVisitorHandle(handle),
    parseOwnHandle: (_channel, handle) => Either.right(handle),
    // The message is only written to the feed, by the commit that records it as sent.
    dedupes: true,
    send: (_connection, _credentials, { id }) =>
      Effect.succeed(SendOutcome.Accepted({ providerMessageId: id, receipts: [] })),
    bodyLimit: (path) => (path === filesPath ? maxFileBytes : maxBodyBytes),
    serve: serve(limits, streams, options.challenge ?? null),
    signal: ({ id }, _credentials, { kind, lastMessageId, to }) =>
      Effect.suspend(() =>
        (
          kind === "typing"
            ? streams.signal(id, to, "typing", {})
            : streams.signal(id, to, "seen", { client_id: lastMessageId.slice(inboundId(to, "").length) })
        )
          ? Effect.void
          : new ProviderUnavailable({ reason: "no page of the visitor is connected to this process" })
      ),
    setUp: (_connection, _credentials, url) => Effect.succeed(working(`<script src="${url}/widget.js" async></script>`))
  }
}

const working = (script: string): CheckOutcome =>
  CheckOutcome.Working({ detail: `Put this into the pages of your site: ${script}` })
