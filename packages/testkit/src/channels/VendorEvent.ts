import type { Instant, Receipt } from "@parley/core"
import { Data } from "effect"

/**
 * An event of a vendor, independent of its format: a fixture encodes it as its vendor does. Handles are in the vendor's
 * spelling; times are whole seconds, in ms.
 */
export type VendorEvent = Data.TaggedEnum<{
  /** A customer's message. Equal numbers are redeliveries of one message; derive the vendor's id from the number. */
  Message: {
    readonly number: number
    readonly from: string
    readonly text: string
    /** The customer's display name; omit it if the vendor's messages have no names. */
    readonly name: string
    readonly at: Instant
  }
  /** The status of a sent message, by the id that `send` returned. */
  Receipt: {
    readonly providerMessageId: string
    /** Our own id, for vendors that carry it. */
    readonly messageId: string
    readonly to: string
    readonly status: Receipt["status"]
    readonly at: Instant
  }
  /** All messages to a handle up to a time have this status. */
  Watermark: { readonly handle: string; readonly status: "delivered" | "read"; readonly upTo: Instant }
  /**
   * Something a customer did beyond a text: `what` is the name of one of the fixture's `actions`, `echoes` or `news`.
   * Equal numbers are redeliveries.
   */
  Action: { readonly what: string; readonly number: number; readonly from: string; readonly at: Instant }
  /**
   * An event unknown to the provider: `what` is one of the fixture's `unknown`; the payload contains the text `mark`.
   */
  Unknown: { readonly what: string; readonly number: number; readonly mark: string; readonly from: string }
}>
export const VendorEvent = Data.taggedEnum<VendorEvent>()
