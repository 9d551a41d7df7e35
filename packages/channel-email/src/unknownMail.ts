import { InboundEvent } from "@parley/core"

/** An unknown event with the raw mail, cut to the maximum size of such events. */
export const unknownMail = (kind: string, raw: Uint8Array): InboundEvent =>
  InboundEvent.Unknown({ kind, raw: new TextDecoder().decode(raw.subarray(0, 64 * 1024)) })
