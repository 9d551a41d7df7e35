import type { TemplateStatus } from "@parley/core"

/** The template status for Meta's words in lists and updates (docs/reference/whatsapp.md#templates). */
const statuses: { readonly [word: string]: TemplateStatus } = {
  APPROVED: "approved",
  REINSTATED: "approved",
  PENDING: "pending",
  IN_APPEAL: "pending",
  REJECTED: "rejected",
  PAUSED: "paused",
  // Deleted, or cannot be sent any more.
  ARCHIVED: "rejected",
  DELETED: "rejected",
  DISABLED: "rejected",
  LIMIT_EXCEEDED: "rejected",
  PENDING_DELETION: "rejected"
}

/** Undefined: the word changes nothing, such as `FLAGGED`. */
export const templateStatus = (word: string): TemplateStatus | undefined => statuses[word.toUpperCase()]
