import { Clock, Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import { listNewestFirst } from "../../kernel/input/listNewestFirst.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import { channelOf } from "../../model/Channel.js"
import type { Message } from "../../model/Message.js"
import type { Condition } from "../../ports/Changes.js"
import { ChannelProviders } from "../../ports/ChannelProvider.js"
import { HttpSender } from "../../ports/HttpSender.js"
import { type CommitError, lookup, lookupById, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { usableUploads } from "../../resources/attachments/usableUploads.js"
import { addressOf, handleKind } from "../../resources/contacts/Handle.js"
import { subscriberLookups } from "../../resources/events/Outbox.js"
import { urlProblemOf } from "../../resources/messages/urlProblemOf.js"
import { templateAccount, templatesOn } from "../../resources/templates/templateAccount.js"
import type { ReplyInput } from "../agentReplies/ReplyInput.js"
import { type ReplyWorld, reply } from "../agentReplies/reply.js"
import { botLookups, botOf } from "../bots/stopBot.js"
import { explainSending, type Sending } from "./explainSending.js"
import type { MessageListQuery } from "./MessageListQuery.js"
import type { RawMessage } from "./RawMessageResource.js"

/**
 * Administration of messages (docs/reference/administration.md#conversation-and-message-administration). Unknown ids
 * fail with `not_found`.
 */
export interface AdminMessages {
  readonly list: (query: PartialDecode<MessageListQuery>) => Effect.Effect<Listed<Message>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Message, Refusal | ReadError>
  /** Where the message is on its way to the provider, and why. */
  readonly sending: (id: string) => Effect.Effect<Sending, Refusal | ReadError>
  /** The vendor's JSON of the message; null if the vendor sent none, or it has expired. */
  readonly raw: (id: string) => Effect.Effect<RawMessage, Refusal | ReadError>
  /** Queues an agent's reply in a conversation, without waiting for the provider. Fails as {@link reply} says. */
  readonly reply: (
    conversationId: string,
    decoded: PartialDecode<ReplyInput>
  ) => Effect.Effect<Message, Refusal | CommitError>
}
export const AdminMessages = Context.GenericTag<AdminMessages>("@parley/core/AdminMessages")

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
  const urlProblem = urlProblemOf(yield* HttpSender)
  const { decideAndCommit } = yield* Decider

  /** The filter of the query. `contact_id` selects messages of the contact's conversations. */
  const whereOf = ({
    contactId,
    conversationId,
    workspaceId
  }: Partial<MessageListQuery>): Effect.Effect<Condition<"messages">, ReadError> => {
    if (contactId == null && conversationId == null) return Effect.succeed(workspaceId == null ? {} : { workspaceId })
    const conversations =
      conversationId == null
        ? lookup("conversations", { contactId: contactId as string })
        : lookup("conversations", { id: conversationId })
    return Effect.map(storage.read({ conversations }), (read) => ({
      conversationId: read.conversations
        .filter((one) => contactId == null || one.contactId === contactId)
        .filter((one) => workspaceId == null || one.workspaceId === workspaceId)
        .map(({ id }) => id)
    }))
  }

  const loadReply = (id: string, decoded: PartialDecode<ReplyInput>): Effect.Effect<ReplyWorld, Refusal | ReadError> =>
    Effect.gen(function* () {
      const conversation = yield* orNotFound(yield* readById(storage, "conversations", id))
      const { channel, connectionId, handle, workspaceId } = conversation
      const { agentId, attachments, quoted, template } = decoded.value
      const definition = channelOf(providers.channels, channel)
      const [read, connection, workspace, agent, uploads] = yield* Effect.all(
        [
          storage.read({
            ...subscriberLookups(workspaceId),
            addresses: lookup("addresses", { workspaceId, ...addressOf(handleKind(definition), handle) }),
            ...botLookups(conversation),
            templates: template == null ? null : lookup("templates", { workspaceId, channel, name: template }),
            quoted: lookupById("messages", quoted ?? undefined)
          }),
          Effect.flatMap(readById(storage, "connections", connectionId), orNotFound),
          Effect.flatMap(readById(storage, "workspaces", workspaceId), orNotFound),
          readById(storage, "agents", agentId),
          usableUploads(storage, workspaceId, attachments ?? [])
        ],
        { concurrency: "unbounded" }
      )
      const contactId = read.addresses[0]?.contactId ?? conversation.contactId
      const provider = providers.byKind.get(connection.provider)
      return {
        workspace,
        conversation,
        contact: yield* readById(storage, "contacts", contactId),
        connection,
        channel: definition,
        capabilities: provider?.capabilities(connection),
        textProblem: (text: string) => provider?.textProblem?.(connection, text) ?? null,
        reactionProblem: (id: string) => provider?.reactionProblem?.(connection, id) ?? null,
        templates: templatesOn(templateAccount(provider, connection), read.templates),
        quoted: read.quoted[0],
        urlProblem,
        uploads,
        agent,
        ...botOf(read),
        subscribers: { endpoints: read.endpoints, applications: read.applications }
      }
    })

  return AdminMessages.of({
    list: (query) =>
      Effect.gen(function* () {
        const { contactId, conversationId, failed, since, workspaceId } = query.value
        const filters = {
          workspace_id: workspaceId,
          contact_id: contactId,
          conversation_id: conversationId,
          // Null, as in cursors of versions without this filter.
          failed: failed === true ? "true" : null
        }
        const where = yield* whereOf(query.value)
        // By `error`, which only failed messages have: an index by the status would be written at each of its changes.
        const notNull = failed === true ? ("error" as const) : undefined
        return yield* listNewestFirst(storage, { from: "messages", filters, where, notNull, since }, query)
      }),
    get: (id) => Effect.flatMap(readById(storage, "messages", id), orNotFound),
    sending: (id) =>
      Effect.gen(function* () {
        // The job first: a message that is settled in between is not taken for one without a job.
        const job = yield* readById(storage, "jobs", id)
        const message = yield* orNotFound(yield* readById(storage, "messages", id))
        const connection = yield* readById(storage, "connections", message.connectionId)
        return explainSending({ message, job, connection }, yield* Clock.currentTimeMillis)
      }),
    raw: (id) =>
      Effect.gen(function* () {
        const { events, messages } = yield* storage.read({
          messages: lookupById("messages", id),
          events: lookup("events", { subjectId: id })
        })
        yield* orNotFound(messages[0])
        return { raw: events.find((event) => event.raw !== null)?.raw ?? null }
      }),
    reply: (conversationId, decoded) =>
      decideAndCommit(loadReply(conversationId, decoded), (world, now, ids) => reply(world, decoded, now, ids))
  })
})
