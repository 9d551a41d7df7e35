import type { Problems } from "../../errors/Refusal.js"
import type { Contact } from "../../model/Contact.js"
import type { Template } from "../../model/Template.js"
import type { Content } from "./readContent.js"

/**
 * Reports an opt-out of the contact that forbids this content, as a problem at the given field
 * (docs/reference/contacts.md#opt-out). `marketing`: the message is marketing whatever it contains.
 */
export const optOutProblems = (
  field: string,
  contact: Contact | undefined,
  content: Content | null,
  marketing = false
): Problems => {
  if (contact?.optedOut === true) return { [field]: ["has opted out of messages"] }
  const isMarketing = marketing || (content?.type === "template" && isMarketingTemplate(content.template))
  return isMarketing && contact?.marketingOptedOut ? { [field]: ["has opted out of marketing messages"] } : {}
}

/** Whether the category of a template is marketing, in any case: administrators write it by hand. */
export const isMarketingTemplate = ({ category }: Pick<Template, "category">): boolean =>
  category?.toLowerCase() === "marketing"
