import { Effect } from "effect"
import { invalid, type Refusal, refuse } from "../../errors/Refusal.js"
import type { Connection } from "../../model/Connection.js"
import type { Conversation } from "../../model/Conversation.js"
import { isAnnotation } from "../../model/MessageContent.js"
import type { ChannelProviders, CustomerSignal } from "../../ports/ChannelProvider.js"
import type { SecretUnreadable } from "../../ports/SecretBox.js"
import { type ReadError, readById, type Storage } from "../../ports/Storage.js"
import { callProviderSafely } from "../channels/callProviderSafely.js"

/** Number of the newest messages among which the customer's latest one is looked for. */
const maxMessages = 50

/** Services that a signal needs. */
export interface SignalServices {
  readonly storage: Pick<Storage, "list" | "read">
  readonly providers: ChannelProviders
  readonly credentialsOf: (connection: Connection) => Effect.Effect<unknown, SecretUnreadable>
}

/**
 * Shows the customer of a conversation that the business types or has read the messages, with one call of the provider
 * that is not repeated (docs/reference/conversations.md#typing-and-read-marks). Returns whether the vendor took it.
 * Refuses channels that have no such signal, connections that are not active, and conversations without a message of
 * the customer.
 */
export const signalCustomer = (
  { credentialsOf, providers, storage }: SignalServices,
  conversation: Conversation,
  kind: CustomerSignal["kind"]
): Effect.Effect<boolean, Refusal | ReadError> =>
  Effect.gen(function* () {
    const connection = yield* readById(storage, "connections", conversation.connectionId)
    const provider = connection === undefined ? undefined : providers.byKind.get(connection.provider)
    if (connection === undefined || provider === undefined) return yield* refuse("channel_unavailable")
    const { readMarks = false, typing = false } = provider.capabilities(connection)
    const { signal } = provider
    if (signal === undefined || !(kind === "typing" ? typing : readMarks)) {
      return yield* invalid({ channel: [`${noSignal[kind]} is not possible on this channel`] })
    }
    if (connection.status !== "active") return yield* refuse("channel_unavailable")
    const where = { conversationId: conversation.id }
    const newest = yield* storage.list({ from: "messages", where, after: null, limit: maxMessages })
    const last = newest.find(({ direction, type }) => direction === "inbound" && !isAnnotation(type))
    if (last?.providerMessageId == null) return yield* invalid({ messages: ["has no recent message of the customer"] })
    const given = { kind, to: conversation.handle, lastMessageId: last.providerMessageId }
    return yield* credentialsOf(connection).pipe(
      Effect.flatMap((credentials) =>
        callProviderSafely("signal", () => signal.call(provider, connection, credentials, given))
      ),
      Effect.as(true),
      Effect.catchAll(({ reason }) =>
        Effect.as(Effect.logInfo(`a ${kind} signal on connection ${connection.id} failed: ${reason}`), false)
      )
    )
  })

const noSignal = { typing: "showing that the business types", read: "marking messages as read" } as const
