import { type SendRates, second } from "@parley/core"

/** A rate that keeps a vendor's limit in every second. The burst counts as well, so it is a tenth of the limit. */
export const ratePerSecond = (messages: number): NonNullable<SendRates["connection"]> => ({
  messages,
  per: second,
  burst: Math.ceil(messages / 10)
})
