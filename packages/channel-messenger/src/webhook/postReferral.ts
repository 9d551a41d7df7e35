import type { Referral } from "@parley/core"

/** The post, advertisement or live video on which a customer commented. */
export const postReferral = (
  post: Pick<Referral, "source" | "sourceId"> & Partial<Pick<Referral, "headline">>
): Referral => ({ clickId: null, headline: null, body: null, url: null, ref: null, ...post })
