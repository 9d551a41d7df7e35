import { Context, Effect, Either, Layer } from "effect"
import type { Conversation } from "../../conversations/Conversation.js"
import type { ConversationPatch } from "../../conversations/ConversationInput.js"
import { type KnownConversation, knownConversations } from "../../conversations/KnownConversation.js"
import { listByActivity } from "../../conversations/listByActivity.js"
import { loadConversationUpdate } from "../../conversations/loadConversationUpdate.js"
import { type UpdateConversationWorld, updateConversation } from "../../conversations/updateConversation.js"
import { Decider } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Listed } from "../../input/CursorList.js"
import type { Draft } from "../../input/Draft.js"
import { ChannelProviders } from "../../ports/ChannelProvider.js"
import { type CommitError, lookup, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { chosen } from "../chosen.js"
import { found } from "../found.js"
import { type AdminConversationListQuery, narrowed } from "./AdminConversationListQuery.js"

/** Administration of conversations (decisions.md §9, §14). An unknown id is `not_found`. */
export interface AdminConversations {
  /** By last activity, newest first. */
  readonly list: (
    query: Draft<AdminConversationListQuery>
  ) => Effect.Effect<Listed<KnownConversation>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<KnownConversation, Refusal | ReadError>
  /** Changes its status and who has it. Refuses with `invalid_transition` too. */
  readonly update: (
    id: string,
    draft: Draft<ConversationPatch>
  ) => Effect.Effect<KnownConversation, Refusal | CommitError>
}
export const AdminConversations = Context.GenericTag<AdminConversations>("@parley/core/AdminConversations")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
  const { decideAndCommit } = yield* Decider

  const load = (id: string) => readById(storage, "conversations", id)

  const known = (rows: ReadonlyArray<Conversation>) => knownConversations(storage, providers, rows)

  const knownOne = (conversation: Conversation): Effect.Effect<KnownConversation, ReadError> =>
    Effect.map(known([conversation]), ([one]) => one as KnownConversation)

  const loadUpdate = (
    id: string,
    { value }: Draft<ConversationPatch>
  ): Effect.Effect<UpdateConversationWorld | undefined, ReadError> =>
    Effect.flatMap(load(id), (conversation) =>
      conversation === undefined
        ? Effect.succeed(undefined)
        : loadConversationUpdate(storage, providers, conversation, value)
    )

  /** The connections whose conversations are meant; null where another filter finds them. */
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
        const { assignedTeamId, assignedUserId, connectionId, contactId, status, workspaceId } = query.value
        const connectionIds = yield* connectionsOf(query.value)
        const filter = {
          connectionIds,
          contactId: contactId ?? null,
          status: status ?? null,
          ...chosen({ workspaceId, assignedUserId, assignedTeamId })
        }
        const filters = {
          workspace_id: workspaceId,
          contact_id: contactId,
          connection_id: connectionId,
          status,
          assigned_user_id: assignedUserId,
          assigned_team_id: assignedTeamId
        }
        const page = yield* listByActivity(storage, { filters, filter }, narrowed(query))
        return { ...page, rows: yield* known(page.rows) }
      }),
    get: (id) => load(id).pipe(Effect.flatMap(found), Effect.flatMap(knownOne)),
    update: (id, draft) =>
      decideAndCommit(loadUpdate(id, draft), (world, now, ids) =>
        Either.flatMap(found(world), (world) => updateConversation(world, draft, now, ids))
      )
  })
})

export const layer: Layer.Layer<AdminConversations, never, Storage | ChannelProviders | Decider> = Layer.effect(
  AdminConversations,
  make
)
