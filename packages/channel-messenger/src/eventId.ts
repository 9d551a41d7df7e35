/** The kinds of events to which Meta gives no message id. */
const kinds = ["comment", "deletion", "edit", "optin", "postback", "reaction", "referral"] as const

/** The provider message id of an event to which Meta gives none. The parts identify it among those of its kind. */
export const eventId = (kind: (typeof kinds)[number], ...parts: ReadonlyArray<string | number>): string =>
  [kind, ...parts].join(".")

/** Meta's id of a message (`mid`) by its provider message id; null for an {@link eventId}. */
export const midOf = (providerMessageId: string): string | null =>
  kinds.some((kind) => providerMessageId.startsWith(`${kind}.`)) ? null : providerMessageId
