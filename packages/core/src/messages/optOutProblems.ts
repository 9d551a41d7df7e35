import type { Contact } from "../contacts/Contact.js"
import type { Problems } from "../errors/Refusal.js"
import type { Content } from "./readContent.js"

/** That the contact does not want this content, as a problem at `to` (decisions.md §6). */
export const optOutProblems = (contact: Contact | undefined, content: Content | null): Problems => {
  if (contact?.optedOut === true) return { to: ["has opted out of messages"] }
  return content?.type === "template" && content.template.category === "marketing" && contact?.marketingOptedOut
    ? { to: ["has opted out of marketing messages"] }
    : {}
}
