import { type Fields, textIn } from "./fields.js"

/** The display name of a user, a chat or a contact; null if it has none. */
export const nameOf = (user: Fields): string | null =>
  `${textIn(user, "first_name") ?? ""} ${textIn(user, "last_name") ?? ""}`.trim() || null
