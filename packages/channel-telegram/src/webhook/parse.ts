import { type AccountEvents, type InboundEvent, type ProviderRequest, WebhookUnreadable } from "@parley/core"
import { unknownEvent, withRaw } from "@parley/provider-kit"
import { type Effect, Either, Schema } from "effect"
import { connectionEvent, deletionEvents } from "./businessEvents.js"
import { callbackEvent } from "./callbackEvent.js"
import { fieldsOf, textIn } from "./fields.js"
import { membershipEvent } from "./membershipEvent.js"
import { businessEditEvent, businessMessageEvent, editEvent, messageEvent } from "./messageEvent.js"
import { reactionEvent } from "./reactionEvent.js"

/** A webhook request: an update has its number and one further field, which identifies the kind. */
const Update = Schema.parseJson(Schema.Struct({ update_id: Schema.Int }, { key: Schema.String, value: Schema.Unknown }))
const readUpdate = Schema.decodeUnknownEither(Update)

/**
 * The events of a request of Telegram's, which has one update. `business`: the business connections whose chats are
 * read; null: the updates of business accounts are unknown events.
 */
export const parse = (
  { body }: Pick<ProviderRequest, "body">,
  business: ReadonlyArray<string> | null
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

const eventsOf = (
  kind: string,
  value: unknown,
  updateId: number,
  business: ReadonlyArray<string> | null
): ReadonlyArray<InboundEvent> => {
  if (business === null && kind.includes("business")) return [unknownEvent(kind, value)]
  // A chat of an account that is not ours: nothing of it is stored.
  const connection = businessConnectionIn(value)
  if (connection !== null && business?.includes(connection) !== true) return []
  return kind === "deleted_business_messages" ? deletionEvents(value) : [eventOf(kind, value, updateId)]
}

/** The business connection in whose chat an update happened; null: in a chat of the bot. */
const businessConnectionIn = (value: unknown): string | null => {
  const fields = fieldsOf(value)
  return textIn(fields, "business_connection_id") ?? textIn(fieldsOf(fields.message), "business_connection_id")
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
