import { type AccountEvents, type InboundEvent, type ProviderRequest, WebhookUnreadable } from "@parley/core"
import { unknownEvent, withRaw } from "@parley/provider-kit"
import { type Effect, Either, Schema } from "effect"
import { callbackEvent } from "./callbackEvent.js"
import { membershipEvent } from "./membershipEvent.js"
import { editEvent, messageEvent } from "./messageEvent.js"
import { reactionEvent } from "./reactionEvent.js"

/** A webhook request: an update has its number and one further field, which identifies the kind. */
const Update = Schema.parseJson(Schema.Struct({ update_id: Schema.Int }, { key: Schema.String, value: Schema.Unknown }))
const readUpdate = Schema.decodeUnknownEither(Update)

/** The events of a request of Telegram's, which has one update. */
export const parse = ({
  body
}: Pick<ProviderRequest, "body">): Effect.Effect<ReadonlyArray<AccountEvents>, WebhookUnreadable> =>
  readUpdate(new TextDecoder().decode(body)).pipe(
    Either.mapLeft(() => new WebhookUnreadable({ reason: "must be JSON with an update_id" })),
    Either.map(({ update_id, ...happened }) => {
      const events = Object.entries(happened).flatMap(([kind, value]) =>
        withRaw(value, [eventOf(kind, value, update_id)])
      )
      return [{ account: null, events: events.length > 0 ? events : [unknownEvent("update", { update_id })] }]
    })
  )

const eventOf = (kind: string, value: unknown, updateId: number): InboundEvent => {
  switch (kind) {
    case "message":
      return messageEvent(value)
    case "edited_message":
      return editEvent(value, updateId)
    case "message_reaction":
      return reactionEvent(value, updateId)
    case "callback_query":
      return callbackEvent(value)
    case "my_chat_member":
      return membershipEvent(value)
    default:
      return unknownEvent(kind, value)
  }
}
