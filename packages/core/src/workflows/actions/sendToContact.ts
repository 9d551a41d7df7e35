import { Effect, Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { Message } from "../../messages/Message.js"
import type { Content } from "../../messages/readContent.js"
import { sendMessageDraft } from "../../messages/SendMessageInput.js"
import { loadSendWorld, type SendWorld } from "../../messages/SendWorld.js"
import { queueSend } from "../../messages/sendMessage.js"
import { readSend } from "../../messages/validateSend.js"
import { lookup } from "../../ports/Storage.js"
import type { SendEmail, SendMessage } from "../definition/Action.js"
import { escapeHtml, fillIn } from "../placeholders.js"
import { type Carried, type Prepare, type RunScope, valuesOf } from "../runs/RunScope.js"
import { oneLine } from "./oneLine.js"
import { type Recipient, recipientOf } from "./recipientOf.js"

const mostConversations = 25

/**
 * Sends a message to the contact by the rules of `POST /messages` (decisions.md §7), as the application whose event started
 * the run: with its mode and its allow-list. No idempotency key and no sends bucket: a run sends each message once.
 */
export const sendToContact: Prepare<SendMessage | SendEmail> = (
  { contactHints, entitlements, providers, storage },
  first,
  action
) =>
  Effect.gen(function* () {
    const { application, contact, run, workspace } = first
    const [{ connections }, conversations, entitled] = yield* Effect.all(
      [
        storage.read({ connections: lookup("connections", { workspaceId: run.workspaceId }) }),
        storage.listConversations(
          { connectionIds: null, contactId: contact.id, status: null },
          null,
          mostConversations
        ),
        Effect.either(entitlements.check(application, "messages.send"))
      ],
      { concurrency: "unbounded" }
    )
    if (Either.isLeft(entitled)) return () => Either.left(entitled.left)
    const channel = action.type === "send_email" ? "email" : action.channel
    const recipient = recipientOf(contact, channel, { application, connections, conversations })
    if (recipient === null) return () => Either.left(unreachable(channel))
    const caller = { application, workspace }
    const draft = draftOf(first, action, recipient)
    const { world } = yield* loadSendWorld(storage, providers, contactHints, caller, draft, null, null)
    return (scope, now, ids) =>
      Either.gen(function* () {
        const present: SendWorld = { ...world, contact: scope.contact, subscribers: scope.subscribers }
        const read = yield* readSend(present, draftOf(scope, action, recipient))
        const valid = { ...read, content: withHtml(read.content, scope, action) }
        const sender = { applicationId: application.id, workflowRunId: run.id }
        const { connection, message, parts } = yield* queueSend(present, valid, sender, null, now, ids)
        return carried(message, connection.channel, parts)
      })
  })

const carried = (message: Message, channel: string, parts: Carried["parts"]): Carried => ({
  parts,
  detail: `queued the message ${message.id} on ${channel}`,
  messageId: message.id,
  rereads: true
})

const unreachable = (channel: string): Refusal =>
  refuse(
    "channel_unavailable",
    {},
    channel === "preferred"
      ? "The contact has no address on a channel that the application may use."
      : `The contact has no address on ${channel}.`
  )

/** What is sent, as the body of a `POST /messages`, so that it meets the same rules. */
const draftOf = (scope: RunScope, action: SendMessage | SendEmail, { channel, connectionId, to }: Recipient) => {
  const filled = (text: string) => fillIn(text, valuesOf(scope))
  const head = { channel, to, connection_id: action.connectionId ?? connectionId }
  if (action.type === "send_email") {
    return sendMessageDraft({
      ...head,
      type: "text",
      message: { body: filled(action.body), subject: oneLine(filled(action.subject)) }
    })
  }
  const { content } = action
  return sendMessageDraft(
    content.type === "template"
      ? {
          ...head,
          type: "template",
          message: {
            template: content.template,
            language: content.language,
            variables: content.variables.map(filled)
          }
        }
      : {
          ...head,
          type: "text",
          message: {
            body: filled(content.body),
            // A text without a fixed channel may have one, for when it goes out as an email.
            subject: channel === "email" && content.subject !== null ? oneLine(filled(content.subject)) : null
          }
        }
  )
}

const withHtml = (content: Content, scope: RunScope, action: SendMessage | SendEmail): Content =>
  content.type === "text" && action.type === "send_email" && action.html !== null
    ? { ...content, html: fillIn(action.html, valuesOf(scope), escapeHtml) }
    : content
