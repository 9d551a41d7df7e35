import type { Application } from "../access/Application.js"
import type { Caller } from "../access/Caller.js"
import type { Condition } from "../ports/Changes.js"
import { isSentByApplication, type Message } from "./Message.js"

/**
 * Whether the caller may see it: on an allow-listed connection, and its own or nobody's (decisions.md §9). With the scope
 * `messages.status` alone, only what it sent itself (decisions.md §3).
 */
export const isVisible = ({ application, scopes }: Caller, message: Message): boolean =>
  message.workspaceId === application.workspaceId &&
  application.connectionIds.includes(message.connectionId) &&
  (message.applicationId === application.id || message.applicationId === null) &&
  (scopes.includes("messages.read") || isSentByApplication(message))

/** Which messages of a conversation on an allow-listed connection {@link isVisible} lets a reader with `messages.read` see. */
export const visibleTo = (application: Application): Pick<Condition<"messages">, "applicationId"> => ({
  applicationId: [null, application.id]
})
