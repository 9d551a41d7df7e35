import type { InboundEvent } from "@parley/core"
import { type Fields, fieldsOf, textOf } from "@parley/provider-kit"

type Context = Pick<Extract<InboundEvent, { readonly _tag: "Message" }>, "quoted" | "forwarded" | "referral">

/** The quoted message, the advertisement that brought the customer, and whether the message is forwarded. */
export const contextOf = ({ context, referral }: Fields): Context => {
  const { forwarded, frequently_forwarded, id } = fieldsOf(context)
  const quoted = textOf(id)
  const { body, ctwa_clid, headline, source_id, source_type, source_url } = fieldsOf(referral)
  const product = fieldsOf(fieldsOf(context).referred_product)
  const productId = textOf(product.product_retailer_id)
  const isReferred = Object.keys(fieldsOf(referral)).length > 0
  return {
    ...(quoted === null ? {} : { quoted: { providerMessageId: quoted } }),
    ...(forwarded === true || frequently_forwarded === true ? { forwarded: true } : {}),
    ...(productId === null
      ? {}
      : { referral: { ...noReferral, source: "product", sourceId: productId, ref: textOf(product.catalog_id) } }),
    ...(!isReferred
      ? {}
      : {
          referral: {
            source: textOf(source_type) ?? "unknown",
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

const noReferral = { sourceId: null, clickId: null, headline: null, body: null, url: null, ref: null }
