import { Option, Schema } from "effect"

const WhatsAppRead = Schema.Struct({
  messaging_product: Schema.Literal("whatsapp"),
  status: Schema.Literal("read"),
  message_id: Schema.String.pipe(Schema.startsWith("wamid.")),
  typing_indicator: Schema.optional(Schema.Struct({ type: Schema.Literal("text") }))
})
export type WhatsAppRead = typeof WhatsAppRead.Type

const SenderAction = Schema.Struct({
  recipient: Schema.Struct({ id: Schema.NonEmptyString }),
  sender_action: Schema.Literal("typing_on", "typing_off", "mark_seen")
})
export type SenderAction = typeof SenderAction.Type

const strictly =
  <A, I>(schema: Schema.Schema<A, I>) =>
  (json: string): A | null =>
    Option.getOrNull(Schema.decodeUnknownOption(Schema.parseJson(schema), { onExcessProperty: "error" })(json))

/** A request that marks messages as read; null for another request. */
export const readWhatsAppRead: (json: string) => WhatsAppRead | null = strictly(WhatsAppRead)

/** A request with a `sender_action`; null for another request. */
export const readSenderAction: (json: string) => SenderAction | null = strictly(SenderAction)
