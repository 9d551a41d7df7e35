import { createHmac } from "node:crypto"
import { type AccountEvents, type ChannelProvider, InboundEvent, SendOutcome, WebhookUnreadable } from "@parley/core"
import { Effect, Either, Schema } from "effect"
import { channelsNamed } from "../rows/channelsNamed.js"

/** Credentials of a connection of {@link scriptedVendor}. */
export const vendorSecret = (secret: string): string => JSON.stringify({ secret })

/** The header `signature` for a connection with this secret. */
export const vendorSignature = (secret: string, body: string | Uint8Array): string =>
  createHmac("sha256", secret).update(body).digest("hex")

/** An event with a customer's text. */
export const vendorMessage = (providerMessageId: string, from: string, body: string): InboundEvent =>
  InboundEvent.Message({
    providerMessageId,
    from,
    body,
    subject: null,
    displayName: null,
    attachments: [],
    automatic: false
  })

const secretOf = (credentials: unknown): string => (credentials as { readonly secret: string }).secret

/**
 * A provider whose webhook body is a JSON list of {@link AccountEvents}, signed by the vendor. `config.account` names
 * the account. It accepts every message and has no capabilities.
 */
export const scriptedVendor: ChannelProvider = {
  kind: "vendor",
  channels: channelsNamed("telegram", "facebook"),
  config: Schema.Struct({ account: Schema.String }),
  credentials: Schema.Struct({ secret: Schema.String }),
  capabilities: () => ({
    textMaxLength: null,
    templates: false,
    deliveryReceipts: true,
    readReceipts: true,
    serviceWindowHours: null
  }),
  parseHandle: (_channel, handle) => Either.right(handle),
  dedupes: true,
  send: (_connection, _credentials, { id }) =>
    Effect.succeed(SendOutcome.Accepted({ providerMessageId: `out-${id}`, receipts: [] })),
  webhook: {
    bodyLimit: 100_000,
    challenge: (_connection, credentials, { query }) =>
      query.token === secretOf(credentials) ? (query.challenge ?? null) : null,
    verify: (_connection, credentials, { body, headers }) =>
      headers.signature === vendorSignature(secretOf(credentials), body),
    parse: (_connection, { body }) => {
      const unreadable = (reason: string) => new WebhookUnreadable({ reason })
      return Effect.try({
        try: () => JSON.parse(Buffer.from(body).toString()) as unknown,
        catch: () => unreadable("it is no JSON")
      }).pipe(
        Effect.flatMap((accounts) =>
          isAccountEvents(accounts)
            ? Effect.succeed(accounts)
            : Effect.fail(unreadable("it is no list of accounts and their events"))
        )
      )
    },
    accountOf: ({ config }) => String(config.account)
  }
}

const isAccountEvents = (accounts: unknown): accounts is ReadonlyArray<AccountEvents> =>
  Array.isArray(accounts) &&
  accounts.every((one) => typeof one === "object" && one !== null && Array.isArray(one.events))

/** A provider whose customers fetch their messages from the host, by `serve`. */
export const scriptedServer = (serve: NonNullable<ChannelProvider["serve"]>): ChannelProvider => {
  const { webhook: _none, ...rest } = scriptedVendor
  return {
    ...rest,
    kind: "server",
    channels: channelsNamed("webchat"),
    send: (_connection, _credentials, { id }) =>
      Effect.succeed(SendOutcome.Accepted({ providerMessageId: id, receipts: [] })),
    serve
  }
}
