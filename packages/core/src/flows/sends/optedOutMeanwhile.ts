import { Effect } from "effect"
import type { Contact } from "../../model/Contact.js"
import type { Conversation } from "../../model/Conversation.js"
import type { MessageError } from "../../model/Message.js"
import type { Template } from "../../model/Template.js"
import { lookup, type ReadError, type Storage } from "../../ports/Storage.js"
import { contactOfConversation } from "../../resources/contacts/contactOfConversation.js"
import { isMarketingOn, isMarketingTemplate, optOutProblem } from "../../resources/messages/optOutProblems.js"
import { templateAccount, templatesOn } from "../../resources/templates/templateAccount.js"
import type { ReadySend } from "./handToProvider.js"

type Waiting = Pick<ReadySend, "connection" | "message" | "provider">

/** What decides whether a contact has opted out of a message that waited. */
interface OptOutWorld {
  readonly contact: Contact | undefined
  /** Those with the name of the message's template, if the contact has opted out of marketing; else none. */
  readonly templates: ReadonlyArray<Template>
}

export const loadOptOut = (
  storage: Pick<Storage, "read">,
  { connection: { channel }, message: { templateName: name, workspaceId } }: Waiting,
  conversation: Pick<Conversation, "contactId" | "id">
): Effect.Effect<OptOutWorld, ReadError> =>
  Effect.gen(function* () {
    const contact = yield* contactOfConversation(storage, conversation)
    if (contact?.marketingOptedOut !== true || name === null) return { contact, templates: [] }
    const { templates } = yield* storage.read({ templates: lookup("templates", { workspaceId, channel, name }) })
    return { contact, templates }
  })

/**
 * The error of a message whose contact opted out of it while it waited
 * (docs/reference/sends.md#opt-outs-while-a-message-waits); null if it may be sent.
 */
export const optedOutMeanwhile = (
  { contact, templates }: OptOutWorld,
  { connection, message, provider }: Waiting
): MessageError | null => {
  const isMarketing = templatesOn(templateAccount(provider, connection), templates).some(
    (template) => template.language === message.templateLanguage && isMarketingTemplate(template)
  )
  const problem = optOutProblem(contact, isMarketing || isMarketingOn(connection, message))
  if (problem === null) return null
  return { code: "validation_failed", message: `The customer ${problem} while the message waited to be sent.` }
}
