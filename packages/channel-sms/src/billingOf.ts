import { type Billing, noPricing } from "@parley/core"

/**
 * What Twilio tells of a message (docs/reference/sms.md#price-and-segments). A price is negative, because it is taken
 * from the account's balance; `num_segments` is 0 while a messaging service has not chosen the sender.
 */
export const billingOf = (segments: unknown, price: unknown, unit: unknown): Billing => ({
  segments: Number(segments) || null,
  ...(typeof price === "string" && price !== ""
    ? {
        pricing: {
          ...noPricing,
          price: price.replace(/^-/, ""),
          currency: typeof unit === "string" ? unit.toUpperCase() : null
        }
      }
    : {})
})
