import { InboundEvent, rawJson } from "@parley/core"

/** An event of the vendor of an unknown kind, stored unchanged. */
export const unknownEvent = (kind: string, value: unknown): InboundEvent =>
  InboundEvent.Unknown({ kind: kind.slice(0, maxKind), raw: rawJson(value) })

/** The maximum length in UTF-16 units; the kind contains text of the vendor. */
const maxKind = 100
