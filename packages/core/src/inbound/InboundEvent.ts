import { Data } from "effect"
import type { Instant } from "../Instant.js"
import type { Attachment, Receipt } from "../messages/Message.js"
import type { Template } from "../templates/Template.js"

/** A file of a customer's message, as a provider brings it. */
export interface InboundAttachment {
  readonly type: Attachment["type"]
  /** As far as the vendor tells. */
  readonly contentType: string | null
  readonly fileName: string | null
  /** The file itself, or what the provider finds it by later (`fetchFile`): at most 4,000 characters. */
  readonly content: Uint8Array | { readonly reference: string }
}

/** Why a vendor refuses a connection: its code, and what that means. */
export interface ConnectionRefusal {
  readonly providerCode: string
  readonly providerMessage: string
}

/** What a provider brings from its vendor. Handles are as the vendor spells them. */
export type InboundEvent = Data.TaggedEnum<{
  /** A customer's message. */
  Message: {
    /** Unique on its connection: a redelivered one is recognised by it. */
    readonly providerMessageId: string
    readonly from: string
    readonly body: string
    readonly subject: string | null
    /** What the customer calls themselves on the channel. */
    readonly displayName: string | null
    readonly attachments: ReadonlyArray<InboundAttachment>
    /** Written by a machine, such as an out-of-office note: it is no word of the customer's own, and starts nothing. */
    readonly automatic: boolean
  }
  /** What became of a message that was sent. */
  Receipt: {
    readonly providerMessageId: string
    /** Our own id, where the vendor carries it. */
    readonly messageId: string | null
    readonly receipt: Receipt
    /** Where the message failed because the vendor refuses the connection itself: it is disconnected, once. Default: null. */
    readonly refusal?: ConnectionRefusal | null
  }
  /** All that was sent to a handle up to a time, by the provider's clock, came this far. */
  Watermark: { readonly handle: string; readonly status: "delivered" | "read"; readonly upTo: Instant }
  /** A customer has another handle now. */
  HandleChanged: { readonly from: string; readonly to: string }
  /** A customer told the vendor that they want no more, or want it again. */
  OptOut: { readonly handle: string; readonly scope: "all" | "marketing"; readonly optedOut: boolean }
  /** The vendor's word on a template. */
  TemplateStatus: Pick<Template, "name" | "language" | "status">
  /** Something that the provider does not know: kept as it came, and lost to nobody. */
  Unknown: { readonly kind: string; readonly raw: string }
}>
export const InboundEvent = Data.taggedEnum<InboundEvent>()
