import type { Decision } from "../../kernel/Decider.js"
import type { Conversation } from "../../model/Conversation.js"
import type { InboundEvent } from "../../model/InboundEvent.js"
import { changes, expect } from "../../ports/Changes.js"

/**
 * Raises the watermarks of a conversation by a watermark receipt; read implies delivered. Watermarks never decrease.
 * Returns the conversation with the raised watermarks, or undefined if there is no conversation.
 */
export const raiseWatermarks = (
  conversation: Conversation | undefined,
  { status, upTo }: Pick<InboundEvent & { readonly _tag: "Watermark" }, "status" | "upTo">
): Decision<Conversation | undefined> => {
  if (conversation === undefined) return { changes: null, result: undefined }
  const { deliveredUpTo, id, readUpTo, workspaceId } = conversation
  const watermarks = {
    deliveredUpTo: Math.max(deliveredUpTo, upTo),
    readUpTo: status === "read" ? Math.max(readUpTo, upTo) : readUpTo
  }
  const result = { ...conversation, ...watermarks }
  if (watermarks.deliveredUpTo === deliveredUpTo && watermarks.readUpTo === readUpTo) return { changes: null, result }
  const bump = { table: "conversations" as const, id, greatest: watermarks }
  return { changes: changes(workspaceId, { expects: [expect("conversations", { id })], bumps: [bump] }), result }
}
