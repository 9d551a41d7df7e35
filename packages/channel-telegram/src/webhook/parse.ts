import { type AccountEvents, type InboundEvent, type ProviderRequest, WebhookUnreadable } from "@parley/core"
import { unknownEvent, withRaw } from "@parley/provider-kit"
import { type Effect, Either, Schema } from "effect"
import { connectionEvent, deletionEvents } from "./businessEvents.js"
import { callbackEvent } from "./callbackEvent.js"
import { membershipEvent } from "./membershipEvent.js"
import { businessEditEvent, businessMessageEvent, editEvent, messageEvent } from "./messageEvent.js"
import { reactionEvent } from "./reactionEvent.js"

/** A webhook request: an update has its number and one further field, which identifies the kind. */
const Update = Schema.parseJson(Schema.Struct({ update_id: Schema.Int }, { key: Schema.String, value: Schema.Unknown }))
const readUpdate = Schema.decodeUnknownEither(Update)

/**
 * The events of a request of Telegram's, which has one update. `business`: whether chats of business accounts are read.
 */
export const parse = (
  { body }: Pick<ProviderRequest, "body">,
  business: boolean
): Effect.Effect<ReadonlyArray<AccountEvents>, WebhookUnreadable> =>
  readUpdate(new TextDecoder().decode(body)).pipe(
    Either.mapLeft(() => new WebhookUnreadable({ reason: "must be JSON with an update_id" })),
    Either.map(({ update_id, ...happened }) => {
      const events = Object.entries(happened).flatMap(([kind, value]) =>
        withRaw(value, eventsOf(kind, value, update_id, business))
      )
      return [{ account: null, events: events.length > 0 ? events : [unknownEvent("update", { update_id })] }]
    })
  )

const eventsOf = (kind: string, value: unknown, updateId: number, business: boolean): ReadonlyArray<InboundEvent> => {
  if (!business && kind.includes("business")) return [unknownEvent(kind, value)]
  return kind === "deleted_business_messages" ? deletionEvents(value) : [eventOf(kind, value, updateId)]
}

const eventOf = (kind: string, value: unknown, updateId: number): InboundEvent => {
  switch (kind) {
    case "message":
      return messageEvent(value)
    case "edited_message":
      return editEvent(value, updateId)
    case "business_message":
      return businessMessageEvent(value)
    case "edited_business_message":
      return businessEditEvent(value, updateId)
    case "business_connection":
      return connectionEvent(value)
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
