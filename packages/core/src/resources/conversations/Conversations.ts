import { Context, Effect } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import { cursors } from "../../kernel/input/Cursor.js"
import { type Listed, listByCursor } from "../../kernel/input/CursorList.js"
import { isUuid, uuid } from "../../kernel/input/Fields.js"
import type { ListQuery } from "../../kernel/input/ListQuery.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { isAllowListed } from "../../model/Application.js"
import type { Conversation } from "../../model/Conversation.js"
import type { Message } from "../../model/Message.js"
import { ChannelProviders, type CustomerSignal } from "../../ports/ChannelProvider.js"
import { SecretBox } from "../../ports/SecretBox.js"
import { lookup, type ReadError, Storage } from "../../ports/Storage.js"
import type { Caller } from "../access/Caller.js"
import { cachedCredentials } from "../channels/cachedCredentials.js"
import type { ConversationListQuery } from "./ConversationListQuery.js"
import { type ConversationWithWindow, withServiceWindows } from "./ConversationWithWindow.js"
import { listByActivity } from "./listByActivity.js"
import type { SignalResource } from "./SignalResource.js"
import { signalCustomer } from "./signalCustomer.js"
import { visibleTo } from "./visibility.js"

/**
 * Reads conversations and their messages. An application sees the conversations on its allow-listed connections
 * (docs/reference/conversations.md#listing-conversations). Fails with `not_found` for any other.
 */
export interface Conversations {
  /** `GET /conversations`: by last activity, newest first. */
  readonly list: (
    caller: Caller,
    query: PartialDecode<ConversationListQuery>
  ) => Effect.Effect<Listed<ConversationWithWindow>, Refusal | ReadError>
  /** `GET /conversations/{id}`. */
  readonly get: (caller: Caller, id: string) => Effect.Effect<ConversationWithWindow, Refusal | ReadError>
  /** `GET /conversations/{id}/messages`: the messages that the caller may see, newest first. */
  readonly messages: (
    caller: Caller,
    id: string,
    query: PartialDecode<ListQuery>
  ) => Effect.Effect<Listed<Message>, Refusal | ReadError>
  /** `POST /conversations/{id}/typing` and `/read`: whether the vendor took the signal. */
  readonly signal: (
    caller: Caller,
    id: string,
    kind: CustomerSignal["kind"]
  ) => Effect.Effect<typeof SignalResource.Type, Refusal | ReadError>
}
export const Conversations = Context.GenericTag<Conversations>("@parley/core/Conversations")

const byId = cursors("messages", uuid)

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders

  const credentialsOf = cachedCredentials(yield* SecretBox)

  const find = ({ application }: Caller, id: string): Effect.Effect<Conversation, Refusal | ReadError> =>
    Effect.gen(function* () {
      if (!isUuid(id)) return yield* refuse("not_found")
      const { conversations } = yield* storage.read({
        conversations: lookup("conversations", { id: id.toLowerCase() })
      })
      const conversation = conversations[0]
      return conversation?.workspaceId === application.workspaceId &&
        isAllowListed(application, conversation.connectionId)
        ? conversation
        : yield* refuse("not_found")
    })

  const known = (conversations: ReadonlyArray<Conversation>) => withServiceWindows(storage, providers, conversations)

  return Conversations.of({
    list: ({ application: { connectionIds } }, query) =>
      Effect.gen(function* () {
        const { contactId, connectionId, status } = query.value
        const filter = {
          connectionIds: connectionId == null ? connectionIds : connectionIds.filter((id) => id === connectionId),
          contactId: contactId ?? null,
          status: status ?? null
        }
        const filters = { contact_id: contactId, connection_id: connectionId, status }
        const page = yield* listByActivity(storage, { filters, filter }, query)
        return { ...page, rows: yield* known(page.rows) }
      }),
    get: (caller, id) =>
      Effect.flatMap(find(caller, id), (conversation) =>
        Effect.map(known([conversation]), ([one]) => one as ConversationWithWindow)
      ),
    signal: (caller, id, kind) =>
      Effect.flatMap(find(caller, id), (conversation) =>
        Effect.map(signalCustomer({ storage, providers, credentialsOf }, conversation, kind), (taken) => ({
          conversationId: conversation.id,
          taken
        }))
      ),
    messages: (caller, id, query) =>
      Effect.flatMap(find(caller, id), (conversation) =>
        listByCursor(
          {
            cursors: byId,
            filters: { conversation_id: conversation.id },
            positionOf: (message) => message.id,
            load: (after, limit) =>
              storage.list({
                from: "messages",
                where: { conversationId: conversation.id, ...visibleTo(caller.application) },
                after,
                limit
              })
          },
          query
        )
      )
  })
})
