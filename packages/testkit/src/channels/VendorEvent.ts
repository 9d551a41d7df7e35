import type { Instant, Receipt } from "@parley/core"
import { Data } from "effect"

/**
 * Something that a vendor tells, in nobody's format yet: the kit says what happened, and a fixture writes it down as its vendor
 * does. Handles are as the vendor spells them; times are whole seconds, in ms.
 */
export type VendorEvent = Data.TaggedEnum<{
  /** A customer wrote. Equal numbers are the same message, told again; make the vendor's own id of it. */
  Message: {
    readonly number: number
    readonly from: string
    readonly text: string
    /** What the customer calls themselves; leave it out where the vendor's messages have no names. */
    readonly name: string
    readonly at: Instant
  }
  /** What became of a message that the provider sent, by the id that `send` answered with. */
  Receipt: {
    readonly providerMessageId: string
    /** Our own id, for vendors that carry it. */
    readonly messageId: string
    readonly to: string
    readonly status: Receipt["status"]
    readonly at: Instant
  }
  /** All that went to a handle up to a time came this far. */
  Watermark: { readonly handle: string; readonly status: "delivered" | "read"; readonly upTo: Instant }
  /** Something that the provider does not know: `what` is one of the fixture's `unknown`, and `mark` a word to put into it. */
  Unknown: { readonly what: string; readonly number: number; readonly mark: string; readonly from: string }
}>
export const VendorEvent = Data.taggedEnum<VendorEvent>()
