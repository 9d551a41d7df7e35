import { Either, Schema } from "effect"
import type { VendorAnswer } from "../VendorServer.js"
import { badParameter, graphError, ok } from "./graphAnswers.js"
import type { WhatsAppTemplate } from "./WhatsAppBusiness.js"

const number = Schema.String.pipe(Schema.pattern(/^\+?[0-9]{7,15}$/))
const userId = Schema.String.pipe(Schema.pattern(/^[A-Z]{2}\.[A-Za-z0-9]{1,128}$/))
const parameter = Schema.Struct({ type: Schema.Literal("text"), text: Schema.NonEmptyString })

const common = {
  messaging_product: Schema.Literal("whatsapp"),
  recipient_type: Schema.optional(Schema.Literal("individual")),
  to: Schema.optional(number),
  recipient: Schema.optional(userId),
  biz_opaque_callback_data: Schema.optional(Schema.String.pipe(Schema.maxLength(512)))
}
const Message = Schema.Union(
  Schema.Struct({
    ...common,
    type: Schema.Literal("text"),
    text: Schema.Struct({ body: Schema.NonEmptyString, preview_url: Schema.optional(Schema.Boolean) })
  }),
  Schema.Struct({
    ...common,
    type: Schema.Literal("template"),
    template: Schema.Struct({
      name: Schema.NonEmptyString,
      language: Schema.Struct({ code: Schema.NonEmptyString }),
      components: Schema.optional(
        Schema.Tuple(Schema.Struct({ type: Schema.Literal("body"), parameters: Schema.NonEmptyArray(parameter) }))
      )
    })
  })
).annotations({ parseOptions: { onExcessProperty: "error" } })
type Message = typeof Message.Type

const readMessage = Schema.decodeUnknownEither(Schema.parseJson(Message))

/** A message that the fake accepted. */
export interface WhatsAppTaken {
  readonly id: string
  /** In Meta's spelling: a number without plus, or a business-scoped id. */
  readonly to: string
  /** Null for a template. */
  readonly text: string | null
  readonly message: Message
}

/** Meta's response to a message, and the message if accepted. */
export const takeMessage = (
  json: string,
  templates: ReadonlyArray<WhatsAppTemplate>,
  id: string
): { readonly answer: VendorAnswer; readonly taken: WhatsAppTaken | null } => {
  const message = readMessage(json)
  const problem = Either.isLeft(message)
    ? badParameter("not of a message's shape")
    : problemOf(message.right, templates)
  if (Either.isLeft(message) || problem !== null) return { answer: problem ?? badParameter("no message"), taken: null }
  const { recipient, to } = message.right
  const named = to?.replace("+", "") ?? recipient ?? ""
  return {
    answer: ok({
      messaging_product: "whatsapp",
      contacts: [{ input: to ?? recipient, ...(to === undefined ? { user_id: named } : { wa_id: named }) }],
      messages: [{ id, ...(message.right.type === "template" ? { message_status: "accepted" } : {}) }]
    }),
    taken: {
      id,
      to: named,
      text: message.right.type === "text" ? message.right.text.body : null,
      message: message.right
    }
  }
}

const problemOf = (message: Message, templates: ReadonlyArray<WhatsAppTemplate>): VendorAnswer | null => {
  if ((message.to === undefined) === (message.recipient === undefined)) return badParameter("one of to and recipient")
  if (message.type === "text") {
    return [...message.text.body].length > 4_096
      ? badParameter("Param text must be at most 4096 characters long.")
      : null
  }
  const { components, language, name } = message.template
  const template = templates.find((one) => one.name === name && one.language === language.code)
  if (template === undefined)
    return graphError({ code: 132001, status: 404, message: "(#132001) Template does not exist" })
  if (template.status !== "APPROVED") return graphError({ code: 132015, message: "(#132015) Template is paused" })
  const given = components?.[0].parameters ?? []
  const body = template.components.find(({ type }) => type === "BODY")?.text ?? ""
  if (given.length !== new Set(body.match(/\{\{\d+\}\}/g)).size) {
    return graphError({ code: 132000, message: "(#132000) Number of parameters does not match" })
  }
  return given.some(({ text }) => /[\n\t]| {5}/.test(text))
    ? graphError({ code: 132018, message: "(#132018) There is an issue with the parameters in the template" })
    : null
}
