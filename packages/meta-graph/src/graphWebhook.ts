import { createHmac } from "node:crypto"
import {
  type AccountEvents,
  type InboundEvent,
  matchesSecret,
  type ProviderRequest,
  WebhookUnreadable
} from "@parley/core"
import { unknownEvent } from "@parley/provider-kit"
import { Array as Arr, type Effect, Either, Schema } from "effect"

/**
 * Whether the signature of the request is valid: `X-Hub-Signature-256: sha256=<hex of HMAC-SHA256(app secret, raw
 * body)>`.
 */
export const isSigned = (appSecret: string, { body, headers }: ProviderRequest): boolean =>
  matchesSecret(
    headers["x-hub-signature-256"] ?? "",
    `sha256=${createHmac("sha256", appSecret).update(body).digest("hex")}`
  )

/**
 * The answer to Meta's test of the URL, a GET with `hub.mode`, `hub.verify_token` and `hub.challenge`; null: refused.
 */
export const challengeAnswer = (verifyToken: string, { query }: ProviderRequest): string | null => {
  const challenge = query["hub.challenge"] ?? ""
  const isRight = query["hub.mode"] === "subscribe" && matchesSecret(query["hub.verify_token"] ?? "", verifyToken)
  // The answer contains nothing that a browser could render as a page.
  return isRight && /^[\w-]{1,256}$/.test(challenge) ? challenge : null
}

/**
 * The envelope of Meta's webhooks. Entries are decoded one by one, so that a malformed one does not affect the others.
 */
const readEnvelope = Schema.decodeUnknownEither(
  Schema.parseJson(Schema.Struct({ object: Schema.String, entry: Schema.Array(Schema.Unknown) }))
)

/** The events of all entries of a request, grouped by account and in their order. */
export const parseEntries = (
  { body }: ProviderRequest,
  eventsOf: (object: string, entry: unknown) => ReadonlyArray<AccountEvents>
): Effect.Effect<ReadonlyArray<AccountEvents>, WebhookUnreadable> =>
  readEnvelope(new TextDecoder().decode(body)).pipe(
    Either.mapLeft(() => new WebhookUnreadable({ reason: "must be JSON with an object and a list of entries" })),
    Either.map(({ entry, object }) => byAccount(entry.flatMap((one) => eventsOf(object, one))))
  )

const byAccount = (all: ReadonlyArray<AccountEvents>): ReadonlyArray<AccountEvents> =>
  Object.values(Arr.groupBy(all, ({ account }) => account ?? "")).map((group) => ({
    ...group[0],
    events: group.flatMap(({ events }) => events)
  }))

/** Events without an account: they belong to the connection whose URL was called. */
export const ownEvents = (...events: ReadonlyArray<InboundEvent>): AccountEvents => ({ account: null, events })

/** An unknown event without an account. */
export const unknownEntry = (kind: string, value: unknown): AccountEvents => ownEvents(unknownEvent(kind, value))
