import type { TemplateStatus } from "@parley/core"

/** Our status for what Meta says of a template, in lists and in updates; those marked (M) are not in channels.md. */
const statuses: { readonly [word: string]: TemplateStatus } = {
  APPROVED: "approved",
  REINSTATED: "approved", // (M)
  PENDING: "pending",
  IN_APPEAL: "pending", // (M)
  REJECTED: "rejected",
  PAUSED: "paused",
  // What is gone or may never be sent again.
  ARCHIVED: "rejected", // (M)
  DELETED: "rejected", // (M)
  DISABLED: "rejected", // (M)
  LIMIT_EXCEEDED: "rejected", // (M)
  PENDING_DELETION: "rejected" // (M)
}

/** Undefined: a word that changes nothing, such as `FLAGGED`. */
export const templateStatus = (word: string): TemplateStatus | undefined => statuses[word.toUpperCase()]
