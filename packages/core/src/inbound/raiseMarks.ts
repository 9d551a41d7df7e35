import type { Conversation } from "../conversations/Conversation.js"
import type { Decision } from "../Decider.js"
import { changes, expect } from "../ports/Changes.js"
import type { InboundEvent } from "./InboundEvent.js"

/**
 * Raises a conversation's marks by a receipt that names a time: what is read is delivered too. Marks never go back. Answers the
 * conversation with its marks as they are then; undefined where there is none: nothing was sent there.
 */
export const raiseMarks = (
  conversation: Conversation | undefined,
  { status, upTo }: Pick<InboundEvent & { readonly _tag: "Watermark" }, "status" | "upTo">
): Decision<Conversation | undefined> => {
  if (conversation === undefined) return { changes: null, result: undefined }
  const { deliveredUpTo, id, readUpTo, workspaceId } = conversation
  const marks = {
    deliveredUpTo: Math.max(deliveredUpTo, upTo),
    readUpTo: status === "read" ? Math.max(readUpTo, upTo) : readUpTo
  }
  const result = { ...conversation, ...marks }
  if (marks.deliveredUpTo === deliveredUpTo && marks.readUpTo === readUpTo) return { changes: null, result }
  const bump = { table: "conversations" as const, id, greatest: marks }
  return { changes: changes(workspaceId, { expects: [expect("conversations", { id })], bumps: [bump] }), result }
}
