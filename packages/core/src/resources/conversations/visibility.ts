import { type Application, isAllowListed } from "../../model/Application.js"
import { isSentByApplication, type Message } from "../../model/Message.js"
import type { Condition } from "../../ports/Changes.js"
import type { Caller } from "../access/Caller.js"

/**
 * Whether a message is visible to the caller: on an allow-listed connection, and sent by the caller's application or by
 * no application. With the scope `messages.status` alone, only messages that the application sent itself
 * (docs/reference/authentication.md#visibility-of-messages).
 */
export const isVisible = ({ application, scopes }: Caller, message: Message): boolean =>
  message.workspaceId === application.workspaceId &&
  isAllowListed(application, message.connectionId) &&
  (message.applicationId === application.id || message.applicationId === null) &&
  (scopes.includes("messages.read") || isSentByApplication(message))

/**
 * Storage condition equivalent to {@link isVisible}, for a caller with `messages.read` and a conversation on an
 * allow-listed connection.
 */
export const visibleTo = (application: Application): Pick<Condition<"messages">, "applicationId"> => ({
  applicationId: [null, application.id]
})
