import { Context, Effect, Layer } from "effect"
import type { Connection } from "../channels/Connection.js"
import { capabilitiesOf } from "../channels/capabilitiesOf.js"
import { addressOf } from "../contacts/Handle.js"
import { Decider } from "../Decider.js"
import type { Refusal } from "../errors/Refusal.js"
import { subscriberLookups } from "../events/Outbox.js"
import { ChannelProviders } from "../ports/ChannelProvider.js"
import { type CommitError, lookup, lookupById, type ReadError, readById, Storage } from "../ports/Storage.js"
import { applyReceipt, type ReceiptCommand } from "./applyReceipt.js"
import type { Message } from "./Message.js"
import { type InboundMessage, type InboundWorld, receiveMessage } from "./receiveMessage.js"

/** What comes back from providers. */
export interface Inbound {
  /** Takes a customer's message in, once for each provider message id. Durable when it answers. */
  readonly receive: (connection: Connection, message: InboundMessage) => Effect.Effect<Message, Refusal | CommitError>
  /** Applies a receipt, or keeps it until its message is known. */
  readonly receipt: (command: ReceiptCommand) => Effect.Effect<void, Refusal | CommitError>
}
export const Inbound = Context.GenericTag<Inbound>("@parley/core/Inbound")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
  const { decideAndCommit } = yield* Decider

  const messageOf = (id: string | null | undefined) =>
    id == null ? Effect.succeed(undefined) : readById(storage, "messages", id)

  const loadInbound = (connection: Connection, inbound: InboundMessage): Effect.Effect<InboundWorld, ReadError> =>
    Effect.gen(function* () {
      const { workspaceId, id: connectionId, channel } = connection
      const found = yield* storage.read({
        ...subscriberLookups(workspaceId),
        known: lookup("providerMessages", { connectionId, providerMessageId: inbound.providerMessageId }),
        addresses: lookup("addresses", { workspaceId, ...addressOf(channel, inbound.from) }),
        conversations: lookup("conversations", { connectionId, handle: inbound.from })
      })
      const address = found.addresses[0]
      const conversation = found.conversations[0]
      const contactId = address?.contactId ?? conversation?.contactId
      const message = yield* messageOf(found.known[0]?.messageId)
      const { contacts } = yield* storage.read({
        contacts: lookupById("contacts", contactId)
      })
      return {
        known: found.known[0],
        message,
        conversation,
        contact: contacts[0],
        subscribers: { endpoints: found.endpoints, applications: found.applications }
      }
    })

  const loadReceipt = ({ workspaceId, connectionId, providerMessageId }: ReceiptCommand) =>
    Effect.gen(function* () {
      const found = yield* storage.read({
        ...subscriberLookups(workspaceId),
        known: lookup("providerMessages", { connectionId, providerMessageId })
      })
      const message = yield* messageOf(found.known[0]?.messageId)
      return {
        known: found.known[0],
        message,
        subscribers: { endpoints: found.endpoints, applications: found.applications }
      }
    })

  return Inbound.of({
    receive: (connection, message) => {
      const { serviceWindowHours } = capabilitiesOf(providers, connection)
      return decideAndCommit(loadInbound(connection, message), (world, now, ids) =>
        receiveMessage(world, connection, message, serviceWindowHours, now, ids)
      )
    },
    receipt: (command) =>
      Effect.asVoid(decideAndCommit(loadReceipt(command), (world, now, ids) => applyReceipt(world, command, now, ids)))
  })
})

export const layer: Layer.Layer<Inbound, never, Storage | ChannelProviders | Decider> = Layer.effect(Inbound, make)
