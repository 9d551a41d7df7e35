import { createHmac, timingSafeEqual } from "node:crypto"

/** Id of the number that customers write to. */
export const phoneNumberId = "106540352242921"

/** Secret of the webhook signatures. */
export const appSecret = "0c1d8a7f5b3e4d6f0c1d8a7f5b3e4d6f"

/** Number of customers, who write in turn. */
export const customers = 10_000

const text =
  "Hello, my order 4711 was to arrive on Monday and is not here yet. Could you look where it is, please?".slice(0, 100)

/** The body of a webhook with one message, as Meta writes it (testkit's fake of WhatsApp has all of its shapes). */
export const webhookBody = (
  messageId: string,
  number: string,
  /** Default: a text. */
  content: object = { type: "text", text: { body: text } }
): string =>
  JSON.stringify({
    object: "whatsapp_business_account",
    entry: [
      {
        id: "102290129340391",
        changes: [
          {
            field: "messages",
            value: {
              messaging_product: "whatsapp",
              metadata: { display_phone_number: "4930000000", phone_number_id: phoneNumberId },
              contacts: [{ profile: { name: "Ada Byron" }, wa_id: number }],
              messages: [
                {
                  from: number,
                  id: messageId,
                  timestamp: `${Math.floor(Date.now() / 1_000)}`,
                  ...content
                }
              ]
            }
          }
        ]
      }
    ]
  })

/** The `X-Hub-Signature-256` of a body. */
export const signatureOf = (body: string | Buffer): string =>
  `sha256=${createHmac("sha256", appSecret).update(body).digest("hex")}`

/** Whether the signature is valid. */
export const isSigned = (body: Buffer, signature: string | ReadonlyArray<string> | undefined): boolean => {
  const [given, right] = [Buffer.from(String(signature)), Buffer.from(signatureOf(body))]
  return given.length === right.length && timingSafeEqual(given, right)
}
