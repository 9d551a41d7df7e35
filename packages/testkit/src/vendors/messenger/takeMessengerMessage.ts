import { Either, Schema } from "effect"
import type { VendorAnswer } from "../VendorServer.js"
import { badParameter, graphError, ok } from "../whatsapp/graphAnswers.js"
import { messengerCustomers } from "./MessengerPage.js"

const Message = Schema.Struct({
  recipient: Schema.Struct({ id: Schema.NonEmptyString }),
  messaging_type: Schema.Literal("RESPONSE", "UPDATE"),
  message: Schema.Struct({
    text: Schema.NonEmptyString,
    metadata: Schema.optional(Schema.String.pipe(Schema.maxLength(1_000)))
  })
}).annotations({ parseOptions: { onExcessProperty: "error" } })
type Message = typeof Message.Type

const readMessage = Schema.decodeUnknownEither(Schema.parseJson(Message))

/** A message that the fake accepted. */
export interface MessengerTaken {
  readonly id: string
  readonly to: string
  readonly text: string
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
      return problem === null
        ? { answer: ok({ recipient_id: to, message_id: id }), taken: { id, to, text: message.message.text, message } }
        : { answer: problem, taken: null }
    }
  })

const problemOf = ({ message: { metadata, text }, recipient: { id } }: Message): VendorAnswer | null => {
  if (isOf("facebook", id)) {
    return [...text].length > 2_000 ? badParameter("Length of param message[text] must be less than 2000") : null
  }
  if (!isOf("instagram", id))
    return graphError({ code: 100, subcode: 2018001, message: "(#100) No matching user found" })
  if (metadata !== undefined) return badParameter("Instagram has no metadata")
  return Buffer.byteLength(text) > 1_000 ? badParameter("Message text must be at most 1000 bytes") : null
}

const isOf = (channel: keyof typeof messengerCustomers, id: string): boolean =>
  messengerCustomers[channel].some((one) => one === id)
