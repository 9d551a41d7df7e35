import { InboundEvent, type Instant } from "@parley/core"
import { unknownEvent } from "@parley/provider-kit"
import { Option, Schema } from "effect"
import type { Happening } from "./Happening.js"

const readRead = Schema.decodeUnknownOption(
  Schema.Struct({
    read: Schema.Union(Schema.Struct({ mid: Schema.NonEmptyString }), Schema.Struct({ watermark: Schema.Positive }))
  })
)

/** The receipts of a `read`: for a message id (Instagram), or for all messages up to a time (Messenger). */
export const readEvents = (value: unknown, { at, sender }: Happening, now: Instant): ReadonlyArray<InboundEvent> =>
  Option.match(readRead(value), {
    onNone: () => [unknownEvent("read", value)],
    onSome: ({ read }) => [
      "mid" in read
        ? InboundEvent.Receipt({
            providerMessageId: read.mid,
            messageId: null,
            receipt: { status: "read", at: at ?? now, error: null }
          })
        : InboundEvent.Watermark({ handle: sender, status: "read", upTo: read.watermark })
    ]
  })
