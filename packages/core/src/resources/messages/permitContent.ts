import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { Capabilities } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import type { Conversation } from "../../model/Conversation.js"
import { type Instant, timestamp } from "../../model/Instant.js"
import { isServiceWindowOpen, serviceWindowExpiresAt } from "../conversations/serviceWindow.js"
import type { Content } from "./readContent.js"

/**
 * The rules of a send that have a code of their own, for every kind of sender
 * (docs/reference/messages.md#rules-with-a-code-of-their-own): `channel_unavailable`, `template_not_approved` and
 * `outside_service_window`. Returns the capabilities of the connection.
 */
export const permitContent = (
  connection: Connection,
  /** Undefined if this host does not have the provider. */
  capabilities: Capabilities | undefined,
  /** The conversation with the customer on this connection, if it exists. */
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
  if (content.type !== "template" && serviceWindowHours !== null) {
    const expiresAt = conversation === undefined ? null : serviceWindowExpiresAt(conversation, serviceWindowHours)
    if (!isServiceWindowOpen(expiresAt, now)) {
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
