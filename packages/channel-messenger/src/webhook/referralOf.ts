import type { Referral } from "@parley/core"
import { fieldsOf, textOf } from "@parley/provider-kit"

/** The link or advertisement that brought the customer, from Meta's `referral`; null without one. */
export const referralOf = (value: unknown): Referral | null => {
  const referral = fieldsOf(value)
  if (Object.keys(referral).length === 0) return null
  const ad = fieldsOf(referral.ads_context_data)
  const product = fieldsOf(referral.product)
  return {
    source: textOf(referral.source)?.toLowerCase() ?? (textOf(product.id) === null ? "unknown" : "product"),
    sourceId: textOf(referral.ad_id) ?? textOf(product.id),
    clickId: null,
    headline: textOf(ad.ad_title),
    body: null,
    url: textOf(referral.referer_uri) ?? textOf(ad.video_url) ?? textOf(ad.photo_url),
    ref: textOf(referral.ref)
  }
}
