import type { InboundAttachment, MessageContent } from "@parley/core"

/** The content of a customer's message. */
export interface ReadContent {
  readonly body: string
  readonly content: MessageContent | null
  readonly attachments: ReadonlyArray<InboundAttachment>
}
