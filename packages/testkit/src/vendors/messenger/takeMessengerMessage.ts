import type { MessageContent } from "@parley/core"
import { Either, Schema } from "effect"
import type { VendorAnswer } from "../VendorServer.js"
import { badParameter, graphError, ok } from "../whatsapp/graphAnswers.js"
import { messengerCustomers } from "./MessengerPage.js"

const short = (max: number) => Schema.NonEmptyString.pipe(Schema.filter((text) => [...text].length <= max))
/** An id that the fake gives to messages. */
const mid = Schema.String.pipe(Schema.startsWith("m_"))
const metadata = Schema.optional(Schema.String.pipe(Schema.maxLength(1_000)))
const QuickReply = Schema.Struct({ content_type: Schema.Literal("text"), title: short(20), payload: short(1_000) })

const Message = Schema.Struct({
  recipient: Schema.Struct({ id: Schema.NonEmptyString }),
  messaging_type: Schema.Literal("RESPONSE", "UPDATE"),
  message: Schema.Union(
    Schema.Struct({
      text: Schema.NonEmptyString,
      quick_replies: Schema.optional(Schema.NonEmptyArray(QuickReply).pipe(Schema.maxItems(13))),
      metadata
    }),
    Schema.Struct({
      attachment: Schema.Struct({
        type: Schema.Literal("image", "video", "audio", "file"),
        payload: Schema.Struct({
          url: Schema.String.pipe(Schema.startsWith("https://")),
          is_reusable: Schema.optional(Schema.Boolean)
        })
      }),
      metadata
    })
  ),
  reply_to: Schema.optional(Schema.Struct({ mid }))
}).annotations({ parseOptions: { onExcessProperty: "error" } })
type Message = typeof Message.Type

const readMessage = Schema.decodeUnknownEither(Schema.parseJson(Message))

/** A message that the fake accepted. */
export interface MessengerTaken {
  readonly id: string
  readonly to: string
  /** Null for a file. */
  readonly text: string | null
  /** Of quick replies. */
  readonly content: MessageContent | null
  /** The kind and the URL of a file. */
  readonly file: { readonly type: string; readonly url: string } | null
  /** The id of the message that it quotes. */
  readonly quoted: string | null
  readonly message: Message
}

/** Meta's response to a message, and the message if accepted. */
export const takeMessengerMessage = (
  json: string,
  id: string
): { readonly answer: VendorAnswer; readonly taken: MessengerTaken | null } =>
  Either.match(readMessage(json), {
    onLeft: () => ({ answer: badParameter("not of a message's shape"), taken: null }),
    onRight: (message) => {
      const problem = problemOf(message)
      const to = message.recipient.id
      if (problem !== null) return { answer: problem, taken: null }
      return {
        answer: ok({ recipient_id: to, message_id: id }),
        taken: { id, to, ...partsOf(message.message), quoted: message.reply_to?.mid ?? null, message }
      }
    }
  })

const partsOf = (message: Message["message"]): Pick<MessengerTaken, "text" | "content" | "file"> => {
  if ("attachment" in message) {
    const { payload, type } = message.attachment
    return { text: null, content: null, file: { type, url: payload.url } }
  }
  const { quick_replies: replies, text } = message
  const options = replies?.map(({ payload, title }) => ({ id: payload, title, description: null }))
  return { text, content: options === undefined ? null : { type: "choices", button: null, options }, file: null }
}

const problemOf = ({ message, recipient: { id } }: Message): VendorAnswer | null => {
  const { metadata } = message
  const text = "text" in message ? message.text : ""
  if (isOf("facebook", id)) {
    return [...text].length > 2_000 ? badParameter("Length of param message[text] must be less than 2000") : null
  }
  if (!isOf("instagram", id))
    return graphError({ code: 100, subcode: 2018001, message: "(#100) No matching user found" })
  if (metadata !== undefined) return badParameter("Instagram has no metadata")
  if ("attachment" in message && message.attachment.type === "file") return badParameter("Instagram takes no such file")
  return Buffer.byteLength(text) > 1_000 ? badParameter("Message text must be at most 1000 bytes") : null
}

const isOf = (channel: keyof typeof messengerCustomers, id: string): boolean =>
  messengerCustomers[channel].some((one) => one === id)
