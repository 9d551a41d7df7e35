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

const recipient = Schema.Struct({ id: Schema.NonEmptyString })

const Message = Schema.Struct({
  recipient,
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
})

const Reaction = Schema.Union(
  Schema.Struct({
    recipient,
    sender_action: Schema.Literal("react"),
    payload: Schema.Struct({ message_id: mid, reaction: Schema.NonEmptyString })
  }),
  Schema.Struct({
    recipient,
    sender_action: Schema.Literal("unreact"),
    payload: Schema.Struct({ message_id: mid })
  })
)
type Reaction = typeof Reaction.Type

const Request = Schema.Union(Message, Reaction).annotations({ parseOptions: { onExcessProperty: "error" } })
type Request = typeof Request.Type

const readRequest = Schema.decodeUnknownEither(Schema.parseJson(Request))

/** A message or reaction that the fake accepted. */
export interface MessengerTaken {
  /** Null for a reaction, of which Meta returns none. */
  readonly id: string | null
  readonly to: string
  /** Null for a file and a reaction. */
  readonly text: string | null
  /** Of quick replies and a reaction. */
  readonly content: MessageContent | null
  /** The kind and the URL of a file. */
  readonly file: { readonly type: string; readonly url: string } | null
  /** The id of the message that it quotes or reacts to. */
  readonly quoted: string | null
  readonly message: Request
}

/** Meta's response to a message or a reaction, and what it accepted. */
export const takeMessengerMessage = (
  json: string,
  id: string
): { readonly answer: VendorAnswer; readonly taken: MessengerTaken | null } =>
  Either.match(readRequest(json), {
    onLeft: () => ({ answer: badParameter("not of a message's shape"), taken: null }),
    onRight: (message) => {
      const problem = problemOf(message)
      const to = message.recipient.id
      if (problem !== null) return { answer: problem, taken: null }
      if ("sender_action" in message) return { answer: ok({ recipient_id: to }), taken: reactionOf(message) }
      return {
        answer: ok({ recipient_id: to, message_id: id }),
        taken: { id, to, ...partsOf(message.message), quoted: message.reply_to?.mid ?? null, message }
      }
    }
  })

const reactionOf = (message: Reaction): MessengerTaken => {
  const { payload, recipient } = message
  const reaction = "reaction" in payload ? payload.reaction : null
  return {
    ...{ id: null, to: recipient.id, text: null, file: null, message },
    content: { type: "reaction", emoji: reaction === "love" ? "❤" : reaction },
    quoted: payload.message_id
  }
}

const partsOf = (message: typeof Message.Type.message): Pick<MessengerTaken, "text" | "content" | "file"> => {
  if ("attachment" in message) {
    const { payload, type } = message.attachment
    return { text: null, content: null, file: { type, url: payload.url } }
  }
  const { quick_replies: replies, text } = message
  const options = replies?.map(({ payload, title }) => ({ id: payload, title, description: null }))
  return { text, content: options === undefined ? null : { type: "choices", button: null, options }, file: null }
}

const problemOf = (request: Request): VendorAnswer | null => {
  const { id } = request.recipient
  const isInstagram = isOf("instagram", id)
  if (!isInstagram && !isOf("facebook", id)) {
    return graphError({ code: 100, subcode: 2018001, message: "(#100) No matching user found" })
  }
  if ("sender_action" in request) {
    if (!("reaction" in request.payload)) return null
    const { reaction } = request.payload
    const isTaken = isInstagram ? reaction === "love" : !/^\w+$/.test(reaction)
    return isTaken ? null : badParameter("Invalid reaction")
  }
  const { message } = request
  const text = "text" in message ? message.text : ""
  if (!isInstagram) {
    return [...text].length > 2_000 ? badParameter("Length of param message[text] must be less than 2000") : null
  }
  if (message.metadata !== undefined) return badParameter("Instagram has no metadata")
  return Buffer.byteLength(text) > 1_000 ? badParameter("Message text must be at most 1000 bytes") : null
}

const isOf = (channel: keyof typeof messengerCustomers, id: string): boolean =>
  messengerCustomers[channel].some((one) => one === id)
