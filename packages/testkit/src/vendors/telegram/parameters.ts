import { type Option, Schema } from "effect"

const known = [
  "message",
  "edited_message",
  "channel_post",
  "callback_query",
  "my_chat_member",
  "chat_member",
  "message_reaction",
  "business_connection",
  "business_message",
  "edited_business_message",
  "deleted_business_messages"
] as const

export const chat_id = Schema.Union(Schema.Int, Schema.String.pipe(Schema.pattern(/^-?[1-9]\d{0,15}$/)))

export const replyTo = Schema.Struct({
  message_id: Schema.Positive.pipe(Schema.int()),
  allow_sending_without_reply: Schema.optional(Schema.Boolean)
})
const reply_parameters = Schema.optional(replyTo)

/** The business connection on whose behalf a message is sent. */
export const business_connection_id = Schema.optional(Schema.NonEmptyString)

const place = { chat_id, business_connection_id, latitude: Schema.Number, longitude: Schema.Number, reply_parameters }

const InlineKeyboard = Schema.Struct({
  inline_keyboard: Schema.Array(
    Schema.Array(Schema.Struct({ text: Schema.NonEmptyString, callback_data: Schema.NonEmptyString }))
  )
})

/** The parameters of each method. Unlike Telegram, the fake refuses unknown ones, to detect misspellings. */
export const parameters = {
  getMe: Schema.Struct({}),
  getWebhookInfo: Schema.Struct({}),
  getFile: Schema.Struct({ file_id: Schema.NonEmptyString }),
  sendMessage: Schema.Struct({
    chat_id,
    business_connection_id,
    text: Schema.String,
    reply_markup: Schema.optional(InlineKeyboard),
    reply_parameters
  }),
  sendLocation: Schema.Struct(place),
  sendVenue: Schema.Struct({ ...place, title: Schema.NonEmptyString, address: Schema.NonEmptyString }),
  setMessageReaction: Schema.Struct({
    chat_id,
    message_id: Schema.Int,
    reaction: Schema.Array(Schema.Struct({ type: Schema.Literal("emoji"), emoji: Schema.NonEmptyString })).pipe(
      Schema.maxItems(1)
    )
  }),
  sendChatAction: Schema.Struct({ chat_id, business_connection_id, action: Schema.Literal("typing") }),
  setWebhook: Schema.Struct({
    url: Schema.String,
    secret_token: Schema.optional(Schema.String.pipe(Schema.pattern(/^[A-Za-z0-9_-]{1,256}$/))),
    allowed_updates: Schema.optional(Schema.Array(Schema.Literal(...known)))
  })
}

export type BotMethod = keyof typeof parameters

export const isBotMethod = (name: string): name is BotMethod => Object.hasOwn(parameters, name)

/** The decoded parameters of a call; none if they are invalid. */
export const readParameters = <A, I>(schema: Schema.Schema<A, I>, json: string): Option.Option<A> =>
  Schema.decodeUnknownOption(Schema.parseJson(schema), { onExcessProperty: "error" })(json === "" ? "{}" : json)
