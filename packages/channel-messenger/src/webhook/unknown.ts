import { InboundEvent, rawJson } from "@parley/core"

/** Something that we do not know, kept as it came. */
export const unknown = (kind: string, value: unknown): InboundEvent =>
  InboundEvent.Unknown({ kind: kind.slice(0, longestKind), raw: rawJson(value) })

/** In characters; the vendor's words are in it. */
const longestKind = 100
