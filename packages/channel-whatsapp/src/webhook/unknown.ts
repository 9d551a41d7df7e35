import { InboundEvent, rawJson } from "@parley/core"

/** Something that we do not know, kept as it came. */
export const unknown = (kind: string, value: unknown): InboundEvent =>
  InboundEvent.Unknown({ kind, raw: rawJson(value) })
