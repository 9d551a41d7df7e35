import { Effect } from "effect"
import { sendsMarketing } from "../../model/Connection.js"
import type { Conversation } from "../../model/Conversation.js"
import { type MessageError, senderOf } from "../../model/Message.js"
import { lookup, type ReadError, readById, type Storage } from "../../ports/Storage.js"
import { isMarketingTemplate } from "../../resources/messages/optOutProblems.js"
import { templateAccount, templatesOn } from "../../resources/templates/templateAccount.js"
import type { ReadySend } from "./handToProvider.js"

/**
 * The error of a message whose contact opted out of it while it waited
 * (docs/reference/sends.md#opt-outs-while-a-message-waits); null if it may be sent.
 */
export const optedOutMeanwhile = (
  storage: Pick<Storage, "read">,
  { connection, message, provider }: Pick<ReadySend, "connection" | "message" | "provider">,
  { contactId }: Pick<Conversation, "contactId">
): Effect.Effect<MessageError | null, ReadError> =>
  Effect.gen(function* () {
    const contact = yield* readById(storage, "contacts", contactId)
    if (contact?.optedOut === true) return optedOut("messages")
    if (contact?.marketingOptedOut !== true) return null
    const isOfBusiness = ["application", "workflow"].includes(senderOf(message))
    if (sendsMarketing(connection) && isOfBusiness) return optedOut("marketing messages")
    if (message.templateName === null) return null
    const { channel } = connection
    const { templates } = yield* storage.read({
      templates: lookup("templates", { workspaceId: message.workspaceId, channel, name: message.templateName })
    })
    const ofAccount = templatesOn(templateAccount(provider, connection), templates)
    const isMarketing = ofAccount.some((one) => one.language === message.templateLanguage && isMarketingTemplate(one))
    return isMarketing ? optedOut("marketing messages") : null
  })

const optedOut = (of: string): MessageError => ({
  code: "validation_failed",
  message: `The customer has opted out of ${of} while the message waited to be sent.`
})
