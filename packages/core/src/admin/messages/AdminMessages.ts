import { Clock, Context, Effect, Either, Layer } from "effect"
import type { Answer } from "../../access/Answer.js"
import { administrators } from "../../access/recall.js"
import { addressOf } from "../../contacts/Handle.js"
import { Decider } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import { subscriberLookups } from "../../events/Outbox.js"
import type { Listed } from "../../input/CursorList.js"
import type { Draft } from "../../input/Draft.js"
import type { Message } from "../../messages/Message.js"
import { type Reply, type ReplyWorld, reply } from "../../messages/reply.js"
import type { Condition } from "../../ports/Changes.js"
import { ChannelProviders } from "../../ports/ChannelProvider.js"
import { type CommitError, lookup, lookupById, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { Dispatcher } from "../../worker/Dispatcher.js"
import { found } from "../found.js"
import { listNewestFirst } from "../listNewestFirst.js"
import type { MessageListQuery } from "./MessageListQuery.js"

/** Administration of messages (decisions.md §14). An unknown id is `not_found`. */
export interface AdminMessages {
  readonly list: (query: Draft<MessageListQuery>) => Effect.Effect<Listed<Message>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Message, Refusal | ReadError>
  /**
   * An agent's reply in a conversation: answers that it is queued, and does not wait for the provider. Refuses as
   * {@link reply} says.
   */
  readonly reply: (conversationId: string, command: Reply) => Effect.Effect<Answer, Refusal | CommitError>
}
export const AdminMessages = Context.GenericTag<AdminMessages>("@parley/core/AdminMessages")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
  const dispatcher = yield* Dispatcher
  const { decideAndCommit } = yield* Decider

  /** The messages meant: a contact's are those of its conversations. */
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

  const loadReply = (id: string, { draft, idempotency }: Reply): Effect.Effect<ReplyWorld | undefined, ReadError> =>
    Effect.gen(function* () {
      const conversation = yield* readById(storage, "conversations", id)
      if (conversation === undefined) return undefined
      const { channel, connectionId, handle, workspaceId } = conversation
      const { agentId, template } = draft.value
      const [read, connection, workspace, agent] = yield* Effect.all(
        [
          storage.read({
            ...subscriberLookups(workspaceId),
            addresses: lookup("addresses", { workspaceId, ...addressOf(channel, handle) }),
            botSessions: lookupById("botSessions", conversation.botSessionId),
            templates: template == null ? null : lookup("templates", { workspaceId, channel, name: template }),
            records:
              idempotency === null
                ? null
                : lookup("idempotency", {
                    applicationId: administrators(workspaceId).application.id,
                    key: idempotency.key
                  })
          }),
          readById(storage, "connections", connectionId),
          readById(storage, "workspaces", workspaceId),
          readById(storage, "agents", agentId)
        ],
        { concurrency: "unbounded" }
      )
      if (connection === undefined || workspace === undefined) return undefined
      const contactId = read.addresses[0]?.contactId ?? conversation.contactId
      const provider = providers.byKind.get(connection.provider)
      return {
        workspace,
        conversation,
        contact: yield* readById(storage, "contacts", contactId),
        connection,
        capabilities: provider?.capabilities(connection),
        textProblem: (text: string) => provider?.textProblem?.(connection, text) ?? null,
        templates: read.templates,
        agent,
        record: read.records[0],
        session: read.botSessions[0],
        subscribers: { endpoints: read.endpoints, applications: read.applications }
      }
    })

  return AdminMessages.of({
    list: (query) =>
      Effect.gen(function* () {
        const { contactId, conversationId, workspaceId } = query.value
        const filters = { workspace_id: workspaceId, contact_id: contactId, conversation_id: conversationId }
        const where = yield* whereOf(query.value)
        return yield* listNewestFirst(storage, { from: "messages", filters, where }, query)
      }),
    get: (id) => Effect.flatMap(readById(storage, "messages", id), found),
    reply: (conversationId, command) =>
      Effect.gen(function* () {
        const lease = dispatcher.offer("sends", yield* Clock.currentTimeMillis)
        const { answer, job } = yield* decideAndCommit(loadReply(conversationId, command), (world, now, ids) =>
          Either.flatMap(found(world), (world) => reply(world, command, lease, now, ids))
        )
        if (job?.leaseOwner === dispatcher.owner) yield* dispatcher.start(job)
        return answer
      }).pipe(
        // Whoever goes away between the commit and the start must not leave the message to the end of its lease.
        Effect.uninterruptible
      )
  })
})

export const layer: Layer.Layer<AdminMessages, never, Storage | ChannelProviders | Dispatcher | Decider> = Layer.effect(
  AdminMessages,
  make
)
