import { Either } from "effect"
import type { Capabilities } from "../channels/Channel.js"
import type { Connection } from "../channels/Connection.js"
import type { Conversation } from "../conversations/Conversation.js"
import { serviceWindowExpiresAt } from "../conversations/ConversationResource.js"
import { type Refusal, refuse } from "../errors/Refusal.js"
import { type Instant, timestamp } from "../Instant.js"
import type { Content } from "./readContent.js"

/**
 * The rules of a send that have a code of their own, for whoever sends (decisions.md §2, step 10): `channel_unavailable`,
 * `template_not_approved` and `outside_service_window`. Answers what the provider can do.
 */
export const permitContent = (
  connection: Connection,
  /** Undefined where this host does not have the provider. */
  capabilities: Capabilities | undefined,
  /** With the customer on this connection, where there is one. */
  conversation: Conversation | undefined,
  content: Content,
  now: Instant
): Either.Either<Capabilities, Refusal> => {
  if (connection.status !== "active" || capabilities === undefined) {
    return Either.left(
      refuse("channel_unavailable", {}, `The connection is ${connection.status}; an administrator can activate it.`)
    )
  }
  if (content.type === "unsendable") return Either.left(refuse("template_not_approved"))
  const { serviceWindowHours } = capabilities
  if (content.type === "text" && serviceWindowHours !== null) {
    const expiresAt = conversation === undefined ? null : serviceWindowExpiresAt(conversation, serviceWindowHours)
    if (expiresAt === null || expiresAt <= now) {
      return Either.left(
        refuse(
          "outside_service_window",
          { expires_at: expiresAt === null ? null : timestamp(expiresAt) },
          capabilities.templates
            ? "The customer has not written lately. Send a template, or wait until they write."
            : "The customer has not written lately, and this channel has no templates. Wait until they write."
        )
      )
    }
  }
  return Either.right(capabilities)
}
