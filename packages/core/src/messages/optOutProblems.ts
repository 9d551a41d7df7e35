import type { Contact } from "../contacts/Contact.js"
import type { Problems } from "../errors/Refusal.js"
import type { Content } from "./readContent.js"

/** That the contact does not want this content, as a problem at the field by which it was meant (decisions.md §6). */
export const optOutProblems = (field: string, contact: Contact | undefined, content: Content | null): Problems => {
  if (contact?.optedOut === true) return { [field]: ["has opted out of messages"] }
  return content?.type === "template" && content.template.category === "marketing" && contact?.marketingOptedOut
    ? { [field]: ["has opted out of marketing messages"] }
    : {}
}
