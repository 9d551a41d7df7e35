import { type AccountEvents, type InboundEvent, type ProviderRequest, WebhookUnreadable } from "@parley/core"
import { type Effect, Either, Schema } from "effect"
import { callbackEvent } from "./callbackEvent.js"
import { membershipEvent } from "./membershipEvent.js"
import { messageEvent } from "./messageEvent.js"
import { unknown } from "./unknown.js"

/** What Telegram calls with: beside its number, an update has one field, by which its kind is known. */
const Update = Schema.parseJson(Schema.Struct({ update_id: Schema.Int }, { key: Schema.String, value: Schema.Unknown }))
const readUpdate = Schema.decodeUnknownEither(Update)

/** Everything that a request of Telegram's tells, which is one update. */
export const parse = ({
  body
}: Pick<ProviderRequest, "body">): Effect.Effect<ReadonlyArray<AccountEvents>, WebhookUnreadable> =>
  readUpdate(new TextDecoder().decode(body)).pipe(
    Either.mapLeft(() => new WebhookUnreadable({ reason: "must be JSON with an update_id" })),
    Either.map(({ update_id, ...told }) => {
      const events = Object.entries(told).map(([kind, value]) => eventOf(kind, value))
      return [{ account: null, events: events.length > 0 ? events : [unknown("update", { update_id })] }]
    })
  )

const eventOf = (kind: string, value: unknown): InboundEvent => {
  switch (kind) {
    case "message":
      return messageEvent(value)
    case "callback_query":
      return callbackEvent(value)
    case "my_chat_member":
      return membershipEvent(value)
    default:
      return unknown(kind, value)
  }
}
