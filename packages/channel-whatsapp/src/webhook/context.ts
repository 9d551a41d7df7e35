import type { InboundEvent } from "@parley/core"
import { type Fields, fieldsOf, textOf } from "./fields.js"

type Context = Pick<Extract<InboundEvent, { readonly _tag: "Message" }>, "quoted" | "forwarded" | "referral">

/** The quoted message, the advertisement that brought the customer, and whether the message is forwarded. */
export const contextOf = ({ context, referral }: Fields): Context => {
  const { forwarded, frequently_forwarded, id } = fieldsOf(context)
  const quoted = textOf(id)
  const { body, ctwa_clid, headline, source_id, source_type, source_url } = fieldsOf(referral)
  const source = textOf(source_type)
  return {
    ...(quoted === null ? {} : { quoted: { providerMessageId: quoted } }),
    ...(forwarded === true || frequently_forwarded === true ? { forwarded: true } : {}),
    ...(source === null
      ? {}
      : {
          referral: {
            source,
            sourceId: textOf(source_id),
            clickId: textOf(ctwa_clid),
            headline: textOf(headline),
            body: textOf(body),
            url: textOf(source_url),
            ref: null
          }
        })
  }
}
