import {
  type ChannelDefinition,
  type ChannelProvider,
  CheckOutcome,
  type Connection,
  type Instant,
  type OutboundMessage,
  type Receipt,
  SendOutcome,
  second
} from "@parley/core"
import { Effect, Either, Schema } from "effect"
import { type Behaviour, behaviourOf } from "./behaviour.js"
import { capabilitiesOf } from "./capabilities.js"

/** The channels of the interface. */
const channels: ReadonlyArray<ChannelDefinition> = [
  { name: "whatsapp", identity: "whatsapp", standard: true },
  { name: "telegram", identity: "telegram", standard: true },
  { name: "email", identity: "email", subjects: true, standard: true },
  { name: "webchat", identity: null, standard: true },
  { name: "instagram", identity: "instagram", standard: true },
  { name: "facebook", identity: "facebook", standard: true }
]

const deliveredAfter = 200
const readAfter = 600
const throttledFor = 200
const slowVerdictAfter = 5 * second

/**
 * A provider that contacts no vendor (docs/reference/sandbox.md#sandbox-verdicts-and-receipts). It accepts a message,
 * then reports delivered and read within a second, unless the handle selects another behaviour. It requires no settings
 * and no credentials.
 */
export const SandboxProvider: ChannelProvider = {
  kind: "sandbox",
  channels,
  config: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  credentials: Schema.Unknown,
  capabilities: (connection) => capabilitiesOf(connection.channel),
  parseHandle: (_channel, handle) => Either.right(handle),
  dedupes: true,
  check: () =>
    Effect.succeed(CheckOutcome.Working({ detail: "The sandbox works always. It sends no messages to customers." })),
  send: (connection, _credentials, message, now) => {
    const behaviour = behaviourOf(connection.channel, message.to)
    switch (behaviour) {
      case "reject":
        return Effect.succeed(rejected)
      case "throttle":
        return Effect.succeed(
          message.attempt === 1
            ? SendOutcome.Throttled({ retryAfterMs: throttledFor, scope: "recipient" })
            : accepted(connection, message, behaviour, now)
        )
      case "timeout":
        return Effect.succeed(SendOutcome.Unknown({ reason: "no answer: outcome unknown" }))
      case "slow":
        return Effect.succeed(accepted(connection, message, behaviour, now + slowVerdictAfter)).pipe(
          Effect.delay(slowVerdictAfter)
        )
      default:
        return Effect.succeed(accepted(connection, message, behaviour, now))
    }
  }
}

const rejected = SendOutcome.Rejected({
  scope: "recipient",
  code: "provider_error",
  providerCode: "sandbox_rejected",
  providerMessage: "The sandbox rejects every message to this handle."
})

const accepted = (connection: Connection, message: OutboundMessage, behaviour: Behaviour, at: Instant): SendOutcome =>
  SendOutcome.Accepted({
    providerMessageId: `sandbox-${message.id}`,
    receipts: behaviour === "fail" ? [failed(at)] : received(connection, behaviour, at)
  })

const failed = (at: Instant): Receipt => ({
  status: "failed",
  at: at + deliveredAfter,
  error: { code: "provider_error", message: "The provider could not deliver the message." }
})

const received = (connection: Connection, behaviour: Behaviour, at: Instant): ReadonlyArray<Receipt> => {
  const { deliveryReceipts, readReceipts } = capabilitiesOf(connection.channel)
  const receipts: Array<Receipt> = []
  if (deliveryReceipts) receipts.push({ status: "delivered", at: at + deliveredAfter, error: null })
  if (readReceipts && behaviour !== "unread") receipts.push({ status: "read", at: at + readAfter, error: null })
  return receipts
}
