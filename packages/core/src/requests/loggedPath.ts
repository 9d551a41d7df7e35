/** The most characters that the log keeps of a path. */
export const mostOfPath = 255

/** Keys, tokens and secrets end like this (decisions.md §1); the only place of ours for them is a header. */
const secret = /_[0-9A-Za-z]{20,}/g

/** What a path may hold that every database takes. */
const unprintable = /[^\x21-\x7e]/g

/** A path as the request log has it: bounded, printable, and without a credential that somebody put there by mistake. */
export const loggedPath = (path: string): string =>
  path.replace(secret, "_***").replace(unprintable, "?").slice(0, mostOfPath)
