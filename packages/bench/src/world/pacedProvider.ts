import { type ChannelProvider, SendOutcome } from "@parley/core"
import { Effect, Either, Schema } from "effect"

/** Declared rate of a connection, in messages per second. */
const perSecond = 80

/** Actual rate of the throttled connection, in messages per second. */
export interface Paced {
  readonly provider: ChannelProvider
  /** Messages with the time of acceptance, in ms of `performance`. */
  readonly taken: Map<string, number>
}

/**
 * A vendor of many connections that accepts its declared rate at once, except for one connection: there it accepts one
 * message per second and throttles the others with a hint.
 */
export const pacedProvider = (throttledConnectionId: string): Paced => {
  const taken = new Map<string, number>()
  let takesAt = 0
  const provider: ChannelProvider = {
    // Under the name that the rows of connections have.
    kind: "sandbox",
    channels: [{ name: "whatsapp", identity: "whatsapp", standard: true }],
    config: Schema.Unknown,
    credentials: Schema.Unknown,
    capabilities: () => ({
      textMaxLength: null,
      templates: true,
      deliveryReceipts: false,
      readReceipts: false,
      serviceWindowHours: null
    }),
    parseHandle: (_, handle) => Either.right(handle),
    dedupes: true,
    rates: () => ({ connection: { messages: perSecond, per: 1_000, burst: perSecond / 10 }, recipient: null }),
    send: ({ id }, _credentials, message) =>
      Effect.sync(() => {
        const now = performance.now()
        if (id === throttledConnectionId) {
          if (now < takesAt) return SendOutcome.Throttled({ retryAfterMs: Math.ceil(takesAt - now) })
          takesAt = now + 1_000
        }
        taken.set(message.id, now)
        return SendOutcome.Accepted({ providerMessageId: message.id, receipts: [] })
      })
  }
  return { provider, taken }
}
