import { type AccountEvents, InboundEvent, type ProviderRequest, rawJson, WebhookUnreadable } from "@parley/core"
import { Effect, Option, Schema } from "effect"

const Call = Schema.parseJson(Schema.Struct({ sender: Schema.String, events: Schema.Array(Schema.Unknown) }))

const Message = Schema.Struct({
  kind: Schema.Literal("message"),
  id: Schema.NonEmptyString,
  from: Schema.String,
  name: Schema.NullOr(Schema.String),
  text: Schema.String
})

const Status = Schema.Struct({
  kind: Schema.Literal("status"),
  id: Schema.NonEmptyString,
  reference: Schema.NullOr(Schema.String),
  status: Schema.Literal("sent", "delivered", "read", "failed"),
  /** Unix seconds. */
  at: Schema.Number
})

/** All events of a Courier webhook, in order. */
export const parse = ({ body }: ProviderRequest): Effect.Effect<ReadonlyArray<AccountEvents>, WebhookUnreadable> =>
  Schema.decodeUnknown(Call)(new TextDecoder().decode(body)).pipe(
    Effect.map(({ events, sender }) => [{ account: sender, events: events.map(eventOf) }]),
    Effect.mapError(() => new WebhookUnreadable({ reason: "it is no call of Courier's" }))
  )

const readEvent = Schema.decodeUnknownOption(Schema.Union(Message, Status))

/** Unknown events are returned raw. */
const eventOf = (raw: unknown): InboundEvent => {
  const event = Option.getOrNull(readEvent(raw))
  switch (event?.kind) {
    case "message":
      return InboundEvent.Message({
        providerMessageId: event.id,
        from: `+${event.from}`,
        body: event.text,
        subject: null,
        displayName: event.name,
        attachments: [],
        automatic: false
      })
    case "status":
      return InboundEvent.Receipt({
        providerMessageId: event.id,
        messageId: event.reference,
        receipt: { status: event.status, at: event.at * 1_000, error: null }
      })
    default:
      return InboundEvent.Unknown({ kind: "courier event", raw: rawJson(raw) })
  }
}
