import { type Option, Schema } from "effect"

const known = ["message", "edited_message", "channel_post", "callback_query", "my_chat_member", "chat_member"] as const

/** The parameters of each method. Unlike Telegram, the fake refuses unknown ones, to detect misspellings. */
export const parameters = {
  getMe: Schema.Struct({}),
  getWebhookInfo: Schema.Struct({}),
  getFile: Schema.Struct({ file_id: Schema.NonEmptyString }),
  sendMessage: Schema.Struct({
    chat_id: Schema.Union(Schema.Int, Schema.String.pipe(Schema.pattern(/^-?[1-9]\d{0,15}$/))),
    text: Schema.String
  }),
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
