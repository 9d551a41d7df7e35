import { Effect, Either } from "effect"
import { isTemporary, type Refusal, refuse } from "../../../errors/Refusal.js"
import { oneLine } from "../../../kernel/text/oneLine.js"
import type { SendEmail, SendMessage } from "../../../model/Action.js"
import { type Channels, channelOf } from "../../../model/Channel.js"
import type { Message } from "../../../model/Message.js"
import type { CardValues } from "../../../model/MessageContent.js"
import { lookup } from "../../../ports/Storage.js"
import { missingReceipts } from "../../../resources/channels/missingReceipts.js"
import { escapeHtml, fillIn, fillInJson, type PlaceholderValues } from "../../../resources/contacts/placeholders.js"
import { fillContent, fillFiles, wireContent } from "../../../resources/messages/fillDefined.js"
import type { Content } from "../../../resources/messages/readContent.js"
import { decodeSendMessageInput } from "../../../resources/messages/SendMessageInput.js"
import { loadSendWorld, type SendWorld } from "../../../resources/messages/SendWorld.js"
import { queueSend } from "../../../resources/messages/sendMessage.js"
import { readSend } from "../../../resources/messages/validateSend.js"
import { type ActionResult, type Prepare, type RunScope, valuesOf } from "../runs/RunScope.js"
import { type Recipient, recipientOf } from "./recipientOf.js"

const maxConversations = 25

/**
 * Sends a message to the contact by the rules of `POST /messages`, as the application whose event started the run, with
 * its mode and allow-list (docs/reference/automations.md#sender-of-a-run). Takes no idempotency key and no send token:
 * a run sends each message once.
 */
export const sendToContact: Prepare<SendMessage | SendEmail> = (
  { recipientCache, entitlements, providers, storage, urlProblem },
  first,
  action
) =>
  Effect.gen(function* () {
    const { application, contact, run, workspace } = first
    const [{ connections }, conversations, entitled] = yield* Effect.all(
      [
        storage.read({ connections: lookup("connections", { workspaceId: run.workspaceId }) }),
        storage.listConversations({ connectionIds: null, contactId: contact.id, status: null }, null, maxConversations),
        Effect.either(entitlements.check(application, "messages.send"))
      ],
      { concurrency: "unbounded" }
    )
    if (Either.isLeft(entitled)) {
      // A run has no caller that could try again: the queue does.
      if (isTemporary(entitled.left)) return yield* entitled.left
      return () => Either.left(entitled.left)
    }
    const channel = action.type === "send_email" ? "email" : action.channel
    const recipient = recipientOf(contact, channel, {
      application,
      channels: providers.channels,
      connectionId: action.connectionId,
      connections,
      conversations
    })
    if (recipient === null) return () => Either.left(unreachableContact(channel))
    const caller = { application, workspace }
    const decoded = decodedOf(first, action, recipient, providers.channels)
    const world = yield* loadSendWorld({ storage, providers, recipientCache }, caller, decoded, null, null)
    return (scope, now, ids) =>
      Either.gen(function* () {
        const present: SendWorld = { ...world, contact: scope.contact, subscribers: scope.subscribers, urlProblem }
        const read = yield* readSend(present, decodedOf(scope, action, recipient, providers.channels))
        const valid = { ...read, content: withHtml(read.content, scope, action) }
        const sender = { applicationId: application.id, workflowRunId: run.id }
        const { connection, queued } = yield* queueSend(present, valid, sender, now, ids)
        const missing = action.wanted && missingReceipts(action.wanted.status, world.provider(connection)?.capabilities)
        const [{ message }] = queued
        const parts = queued.flatMap((one) => one.parts)
        const done = result(message, connection.channel, parts)
        return missing === null
          ? done
          : { ...done, unreachable: `queued the message ${message.id}, but its connection has no ${missing}` }
      })
  })

const result = (message: Message, channel: string, parts: ActionResult["parts"]): ActionResult => ({
  parts,
  detail: `queued the message ${message.id} on ${channel}`,
  messageId: message.id,
  rereads: true
})

const unreachableContact = (channel: string): Refusal =>
  refuse(
    "channel_unavailable",
    {},
    channel === "preferred"
      ? "The contact has no address on a channel that the application may use."
      : `The contact has no address on ${channel}.`
  )

/** The message as the body of a `POST /messages`, so that the same validation applies. */
const decodedOf = (
  scope: RunScope,
  action: SendMessage | SendEmail,
  { channel, connectionId, to }: Recipient,
  channels: Channels
) => {
  const { subjects = false } = channelOf(channels, channel)
  const filled = (text: string) => fillIn(text, valuesOf(scope))
  const head = { channel, to, connection_id: action.connectionId ?? connectionId }
  if (action.type === "send_email") {
    return decodeSendMessageInput({
      ...head,
      type: "text",
      message: { body: filled(action.body), subject: oneLine(filled(action.subject)) }
    })
  }
  const { content, quoted } = action
  return decodeSendMessageInput({
    ...head,
    type: content.type,
    message: { ...messageOf(content, valuesOf(scope), subjects), quoted: quoted === undefined ? null : filled(quoted) }
  })
}

/** `message` of a `POST /messages`, with the placeholders filled. */
const messageOf = (content: SendMessage["content"], values: PlaceholderValues, subjects: boolean) => {
  const filled = (text: string) => fillIn(text, values)
  const files = fillFiles("files" in content ? (content.files ?? []) : [], values)
  const filesAndContent = wireContent("content" in content ? fillContent(content.content, values) : null, files)
  if (content.type === "template") {
    const { buttonVariables, cards, headerVariable, language, products, template, variables } = content
    return {
      template,
      language,
      variables: variables.map(filled),
      header_variable: headerVariable === undefined ? null : filled(headerVariable),
      button_variables: buttonVariables?.map(filled) ?? null,
      cards: fillInJson(cards?.map(wireCard) ?? null, values),
      products: fillInJson(products ?? null, values),
      ...filesAndContent
    }
  }
  const { body, subject } = content
  return {
    body: body === null ? null : filled(body),
    // A message for the preferred channel may have a subject, in case the channel has subjects.
    subject: subjects && subject !== null ? oneLine(filled(subject)) : null,
    ...filesAndContent
  }
}

const wireCard = ({ buttonVariables: button_variables, ...card }: CardValues) => ({ ...card, button_variables })

const withHtml = (content: Content, scope: RunScope, action: SendMessage | SendEmail): Content =>
  content.type === "text" && action.type === "send_email" && action.html !== null
    ? { ...content, html: fillIn(action.html, valuesOf(scope), escapeHtml) }
    : content
