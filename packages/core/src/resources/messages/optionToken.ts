import { createHash } from "node:crypto"

const prefix = "parley-option:"

/**
 * Stands for the id of an option on a channel that carries only short ids: 57 characters of ASCII. A press with it gets
 * the id of the question's option (docs/reference/content.md#option-ids).
 */
export const optionToken = (id: string): string => `${prefix}${createHash("sha256").update(id).digest("base64url")}`

/** Whether an option has this id, or the id is the token that stands for it. */
export const matchesOption = (option: { readonly id: string }, id: string): boolean =>
  option.id === id || (isOptionToken(id) && optionToken(option.id) === id)

export const isOptionToken = (id: string): boolean => id.startsWith(prefix)
