import type { Problems } from "../../errors/Refusal.js"
import { type Connection, sendsMarketing } from "../../model/Connection.js"
import type { Contact } from "../../model/Contact.js"
import type { Message } from "../../model/Message.js"
import type { Template } from "../../model/Template.js"
import type { Content } from "./readContent.js"

/**
 * The opt-out of a contact that forbids a message, as the end of a sentence about the customer; null if none does
 * (docs/reference/contacts.md#opt-out).
 */
export const optOutProblem = (contact: Contact | undefined, isMarketing: boolean): string | null => {
  if (contact?.optedOut === true) return "has opted out of messages"
  return isMarketing && contact?.marketingOptedOut === true ? "has opted out of marketing messages" : null
}

/** {@link optOutProblem} at the given field. `marketing`: the message is marketing whatever it contains. */
export const optOutProblems = (
  field: string,
  contact: Contact | undefined,
  content: Content | null,
  marketing = false
): Problems => {
  const isMarketing = marketing || (content?.type === "template" && isMarketingTemplate(content.template))
  const problem = optOutProblem(contact, isMarketing)
  return problem === null ? {} : { [field]: [problem] }
}

/** Whether the category of a template is marketing, in any case: administrators write it by hand. */
export const isMarketingTemplate = ({ category }: Pick<Template, "category">): boolean =>
  category?.toLowerCase() === "marketing"

/**
 * Whether a message is marketing whatever it contains, because its connection sends marketing. Replies of agents and
 * bots are not (docs/reference/contacts.md#marketing-connections).
 */
export const isMarketingOn = (
  connection: Connection,
  { applicationId, botSessionId }: Pick<Message, "applicationId" | "botSessionId">
): boolean => sendsMarketing(connection) && applicationId !== null && botSessionId === null
