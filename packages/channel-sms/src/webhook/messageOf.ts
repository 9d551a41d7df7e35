import { type InboundAttachment, InboundEvent, type Instant } from "@parley/core"
import { unknownEvent } from "@parley/provider-kit"
import { billingOf } from "../billingOf.js"
import type { Form } from "./Form.js"

/** The maximum number of files in one message. */
const maxFiles = 10

/**
 * A customer's message. Twilio and carriers answer STOP, START and HELP themselves and report which it was. `at`: when
 * it was written, in ms; null if Twilio does not say it, as in webhook requests.
 */
export const messageOf = (sid: string, form: Form, at: Instant | null = null): ReadonlyArray<InboundEvent> => {
  const { Body: body = "", From: from, NumMedia: files = "0", OptOutType: keyword } = form
  if (from === undefined) return [unknownEvent("message", form)]
  const optOut = keyword === "STOP" ? true : keyword === "START" ? false : null
  return [
    InboundEvent.Message({
      providerMessageId: sid,
      from,
      ...(at === null ? {} : { at }),
      body,
      subject: null,
      displayName: null,
      attachments: Array.from({ length: Math.min(maxFiles, Number(files) || 0) }, (_, n) => n).flatMap((n) => {
        const reference = form[`MediaUrl${n}`]
        return reference === undefined ? [] : [attachment(reference, form[`MediaContentType${n}`] ?? null)]
      }),
      automatic: false,
      billing: billingOf(form.NumSegments, null, null),
      optOut
    })
  ]
}

const attachment = (reference: string, contentType: string | null): InboundAttachment => {
  const [kind = ""] = (contentType ?? "").split("/")
  const type =
    kind === "image" || kind === "video" || kind === "audio" ? kind : contentType === null ? "other" : "document"
  return { type, contentType, fileName: null, content: { reference } }
}
