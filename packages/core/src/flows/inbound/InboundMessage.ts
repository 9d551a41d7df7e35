import type { InboundEvent } from "../../model/InboundEvent.js"
import type { InboundFile } from "../../resources/attachments/attachFile.js"

type MessageOfEvent = Omit<InboundEvent & { readonly _tag: "Message" }, "_tag" | "attachments">

/** A customer's message from a provider, with its files stored. Handles are normalised. */
export interface InboundMessage extends Omit<MessageOfEvent, "subject" | "automatic"> {
  /** Subject of an email. Default: null. */
  readonly subject?: string | null
  /** Whether it is an automatic reply. Default: false. */
  readonly automatic?: boolean
  /** Default: none. */
  readonly files?: ReadonlyArray<InboundFile>
}
