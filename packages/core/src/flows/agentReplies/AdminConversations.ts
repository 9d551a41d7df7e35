import { Context, Effect, Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import { definedFilters } from "../../kernel/input/definedFilters.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Conversation } from "../../model/Conversation.js"
import type { Message } from "../../model/Message.js"
import { ChannelProviders, type CustomerSignal } from "../../ports/ChannelProvider.js"
import { SecretBox } from "../../ports/SecretBox.js"
import { type CommitError, lookup, type ReadError, readById, readByIds, Storage } from "../../ports/Storage.js"
import { cachedCredentials } from "../../resources/channels/cachedCredentials.js"
import { contactName } from "../../resources/contacts/contactName.js"
import type { ConversationPatch } from "../../resources/conversations/ConversationInput.js"
import {
  type ConversationWithWindow,
  withServiceWindows
} from "../../resources/conversations/ConversationWithWindow.js"
import { listByActivity } from "../../resources/conversations/listByActivity.js"
import type { SignalResource } from "../../resources/conversations/SignalResource.js"
import { signalCustomer } from "../../resources/conversations/signalCustomer.js"
import { type AdminConversationListQuery, requireFilter } from "./AdminConversationListQuery.js"
import { loadConversationUpdate } from "./loadConversationUpdate.js"
import { updateConversation } from "./updateConversation.js"

/** A conversation as administrators see it. */
export interface AdminConversation extends ConversationWithWindow {
  /** Null if the contact was merged into another one or erased since the conversation was read. */
  readonly contactName: string | null
  /** The newest message; null without messages. */
  readonly lastMessage: Message | null
}

/**
 * Administration of conversations (docs/reference/administration.md#conversation-and-message-administration). Unknown
 * ids fail with `not_found`.
 */
export interface AdminConversations {
  /** By last activity, newest first. */
  readonly list: (
    query: PartialDecode<AdminConversationListQuery>
  ) => Effect.Effect<Listed<AdminConversation>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<AdminConversation, Refusal | ReadError>
  /** Changes status and assignee. Fails with `invalid_transition` for an unchanged status. */
  readonly update: (
    id: string,
    decoded: PartialDecode<ConversationPatch>
  ) => Effect.Effect<AdminConversation, Refusal | CommitError>
  /** Shows the customer that the business types or has read the messages. */
  readonly signal: (
    id: string,
    kind: CustomerSignal["kind"]
  ) => Effect.Effect<typeof SignalResource.Type, Refusal | ReadError>
}
export const AdminConversations = Context.GenericTag<AdminConversations>("@parley/core/AdminConversations")

/** How many newest messages of a page are read at the same time. */
const concurrentReads = 10

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
  const { decideAndCommit } = yield* Decider

  const credentialsOf = cachedCredentials(yield* SecretBox)

  const load = (id: string) => readById(storage, "conversations", id)

  /** Reads what administrators see of each conversation besides its row. */
  const detailsOf = (
    rows: ReadonlyArray<Conversation>
  ): Effect.Effect<(conversation: Conversation) => Pick<AdminConversation, "contactName" | "lastMessage">, ReadError> =>
    Effect.zipWith(
      readByIds(storage, { contacts: [...new Set(rows.map(({ contactId }) => contactId))] }),
      Effect.forEach(
        rows,
        ({ id }) =>
          Effect.map(
            storage.list({ from: "messages", where: { conversationId: id }, after: null, limit: 1 }),
            ([newest]) => [id, newest ?? null] as const
          ),
        { concurrency: concurrentReads }
      ),
      ({ contacts }, newest) => {
        const lastMessages = new Map(newest)
        return ({ contactId, id }) => {
          const contact = contacts.get(contactId)
          return {
            contactName: contact === undefined ? null : contactName(contact),
            lastMessage: lastMessages.get(id) ?? null
          }
        }
      },
      { concurrent: true }
    )

  const known = (rows: ReadonlyArray<Conversation>): Effect.Effect<ReadonlyArray<AdminConversation>, ReadError> =>
    Effect.zipWith(
      withServiceWindows(storage, providers, rows),
      detailsOf(rows),
      (conversations, of) => conversations.map((one) => ({ ...one, ...of(one.conversation) })),
      { concurrent: true }
    )

  const knownOne = (conversation: Conversation): Effect.Effect<AdminConversation, ReadError> =>
    Effect.map(known([conversation]), ([one]) => one as AdminConversation)

  const loadUpdate = (id: string, { value }: PartialDecode<ConversationPatch>) =>
    Effect.flatMap(Effect.flatMap(load(id), orNotFound), (conversation) =>
      Effect.zipWith(
        loadConversationUpdate(storage, providers, conversation, value),
        detailsOf([conversation]),
        (world, of) => ({ ...world, details: of(conversation) }),
        { concurrent: true }
      )
    )

  /** The connections to filter by; null if another filter selects the conversations. */
  const connectionsOf = ({
    assignedTeamId,
    assignedUserId,
    connectionId,
    contactId,
    workspaceId
  }: Partial<AdminConversationListQuery>): Effect.Effect<ReadonlyArray<string> | null, ReadError> => {
    if (connectionId != null) return Effect.succeed([connectionId])
    if (contactId != null || assignedUserId != null || assignedTeamId != null) return Effect.succeed(null)
    return Effect.map(
      storage.read({ connections: workspaceId == null ? null : lookup("connections", { workspaceId }) }),
      ({ connections }) => connections.map(({ id }) => id)
    )
  }

  return AdminConversations.of({
    list: (query) =>
      Effect.gen(function* () {
        const { assignedTeamId, assignedUserId, connectionId, contactId, since, status, unassigned, workspaceId } =
          query.value
        const connectionIds = yield* connectionsOf(query.value)
        const filter = {
          connectionIds,
          contactId: contactId ?? null,
          status: status ?? null,
          ...definedFilters({ workspaceId, assignedUserId, assignedTeamId }),
          ...(unassigned === true ? { assignedUserId: null } : {})
        }
        const filters = {
          workspace_id: workspaceId,
          contact_id: contactId,
          connection_id: connectionId,
          status,
          assigned_user_id: assignedUserId,
          assigned_team_id: assignedTeamId,
          unassigned: unassigned === true ? "true" : null,
          since
        }
        const page = yield* listByActivity(storage, { filters, filter, since: since ?? null }, requireFilter(query))
        return { ...page, rows: yield* known(page.rows) }
      }),
    get: (id) => load(id).pipe(Effect.flatMap(orNotFound), Effect.flatMap(knownOne)),
    signal: (id, kind) =>
      Effect.flatMap(Effect.flatMap(load(id), orNotFound), (conversation) =>
        Effect.map(signalCustomer({ storage, providers, credentialsOf }, conversation, kind), (taken) => ({
          conversationId: conversation.id,
          taken
        }))
      ),
    update: (id, decoded) =>
      decideAndCommit(loadUpdate(id, decoded), (world, now, ids) =>
        Either.map(updateConversation(world, decoded, now, ids), ({ changes, result }) => ({
          changes,
          result: { ...result, ...world.details }
        }))
      )
  })
})
