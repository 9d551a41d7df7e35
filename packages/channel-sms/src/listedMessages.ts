import type { ProviderUnavailable } from "@parley/core"
import { unavailable } from "@parley/provider-kit"
import { Effect, Option, Schema } from "effect"
import type { SmsAccount } from "./SmsAccount.js"
import type { TwilioApi, TwilioFailure } from "./twilioApi.js"
import type { Form } from "./webhook/Form.js"

const Message = Schema.Struct({
  sid: Schema.NonEmptyString,
  direction: Schema.String,
  from: Schema.NullishOr(Schema.String),
  to: Schema.NullishOr(Schema.String),
  body: Schema.NullishOr(Schema.String),
  status: Schema.NullishOr(Schema.String),
  date_created: Schema.NullishOr(Schema.String),
  date_sent: Schema.NullishOr(Schema.String),
  num_media: Schema.NullishOr(Schema.String),
  num_segments: Schema.NullishOr(Schema.String)
})
const readMessage = Schema.decodeUnknownOption(Message)
const readPage = Schema.decodeUnknownOption(
  Schema.Struct({ messages: Schema.Array(Schema.Unknown), next_page_uri: Schema.NullishOr(Schema.String) })
)
const readMedia = Schema.decodeUnknownOption(
  Schema.Struct({
    media_list: Schema.Array(Schema.Struct({ sid: Schema.NonEmptyString, content_type: Schema.String }))
  })
)

/** A message of Twilio's list. */
export interface ListedMessage {
  readonly message: typeof Message.Type
  readonly raw: unknown
}

/** The query of a page of a list. */
export type Query = { readonly [name: string]: string }

/** Reads a page of Twilio's list of messages, the newest first, and the query of the next page; null: the last one. */
export const listMessages = (
  twilio: TwilioApi,
  account: SmsAccount,
  query: Query
): Effect.Effect<
  { readonly messages: ReadonlyArray<ListedMessage>; readonly next: Query | null },
  TwilioFailure | ProviderUnavailable
> =>
  Effect.flatMap(twilio.call(account, { path: "/Messages.json", query }), (answer) =>
    Option.match(readPage(answer), {
      onNone: () => unavailable("Twilio's list of messages cannot be read"),
      onSome: ({ messages, next_page_uri = null }) =>
        Effect.succeed({
          messages: messages.flatMap((raw) =>
            Option.toArray(Option.map(readMessage(raw), (message) => ({ message, raw })))
          ),
          next: queryOf(next_page_uri)
        })
    })
  )

/** The query of a page of the same list. */
const queryOf = (uri: string | null): Query | null => {
  const start = uri?.indexOf("?") ?? -1
  return uri === null || start < 0 ? null : Object.fromEntries(new URLSearchParams(uri.slice(start)))
}

/** The fields of a webhook request with this message, except that Twilio lists no `OptOutType`. */
export const formOf = (
  twilio: TwilioApi,
  account: SmsAccount,
  { body, from, num_media, num_segments, sid }: ListedMessage["message"]
): Effect.Effect<Form, TwilioFailure> => {
  const form: Form = {
    From: from ?? undefined,
    Body: body ?? "",
    NumMedia: num_media ?? "0",
    NumSegments: num_segments ?? undefined
  }
  if (form.NumMedia === "0") return Effect.succeed(form)
  return Effect.map(twilio.call(account, { path: `/Messages/${sid}/Media.json` }), (answer) => {
    const { media_list: media } = Option.getOrElse(readMedia(answer), () => ({ media_list: [] }))
    const files = media.flatMap((file, n) => [
      [`MediaUrl${n}`, twilio.urlOf(account, `/Messages/${sid}/Media/${file.sid}`)],
      [`MediaContentType${n}`, file.content_type]
    ])
    return { ...form, ...Object.fromEntries(files) }
  })
}
