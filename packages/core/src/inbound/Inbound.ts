import { Cause, Clock, Context, Effect, Either, Exit, Layer } from "effect"
import type { Connection } from "../channels/Connection.js"
import { capabilitiesOf } from "../channels/capabilitiesOf.js"
import { Decider } from "../Decider.js"
import { EngineSettings } from "../EngineSettings.js"
import type { Refusal } from "../errors/Refusal.js"
import { subscriberLookups } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import type { Message } from "../messages/Message.js"
import { Blobs } from "../ports/Blobs.js"
import { ChannelProviders } from "../ports/ChannelProvider.js"
import { type CommitError, lookup, lookupById, type ReadError, readById, Storage } from "../ports/Storage.js"
import { applyReceipt, type ReceiptCommand, type ReceiptWorld } from "./applyReceipt.js"
import { asUnknown } from "./asUnknown.js"
import { carryOut } from "./carryOut.js"
import { InboundEvent } from "./InboundEvent.js"
import { inTurn } from "./inTurn.js"
import { loadInbound } from "./loadInbound.js"
import { readEvent } from "./readEvent.js"
import { type InboundMessage, receiveMessage } from "./receiveMessage.js"

/** What comes back from providers. */
export interface Inbound {
  /**
   * Takes in all that a provider brings for a connection; durable when it answers. Events of one handle, and receipts of one
   * message, are carried out in their order, others at the same time. One that cannot be read or that a rule refuses is
   * kept as an unknown event, and holds up no other. Where the storage fails for one, the others are carried out all the
   * same: the vendor brings everything again, and nothing is taken in twice but the log of unknown events.
   */
  readonly take: (connection: Connection, events: ReadonlyArray<InboundEvent>) => Effect.Effect<void, CommitError>
  /** Takes a customer's message in, once for each provider message id. Durable when it answers. */
  readonly receive: (connection: Connection, message: InboundMessage) => Effect.Effect<Message, Refusal | CommitError>
  /** Applies a receipt, or keeps it until its message is known. */
  readonly receipt: (command: ReceiptCommand) => Effect.Effect<void, Refusal | CommitError>
}
export const Inbound = Context.GenericTag<Inbound>("@parley/core/Inbound")

/** How many lists of events of one call are carried out at once: enough that their commits go together. */
const concurrency = 32

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
  const blobs = yield* Blobs
  const { attachments } = yield* EngineSettings
  const decider = yield* Decider
  const { decideAndCommit } = decider

  const loadReceipt = (
    receipt: Pick<ReceiptCommand, "workspaceId" | "connectionId" | "providerMessageId" | "messageId" | "refusal">
  ): Effect.Effect<ReceiptWorld, ReadError> =>
    Effect.gen(function* () {
      const { workspaceId, connectionId, messageId, providerMessageId, refusal = null } = receipt
      const found = yield* storage.read({
        ...subscriberLookups(workspaceId),
        known: lookup("providerMessages", { connectionId, providerMessageId }),
        connections: refusal === null ? null : lookupById("connections", connectionId)
      })
      const known = found.known[0]
      const message = yield* readById(storage, "messages", known?.messageId ?? messageId)
      const connection = found.connections[0]
      return {
        known,
        message,
        connection,
        subscribers: { endpoints: found.endpoints, applications: found.applications }
      }
    })

  const receive: Inbound["receive"] = (connection, message) => {
    const { serviceWindowHours } = capabilitiesOf(providers, connection)
    const profiles = providers.byKind.get(connection.provider)?.profileName !== undefined
    return decideAndCommit(loadInbound(storage, connection, message), (world, now, ids) =>
      receiveMessage(world, connection, message, { serviceWindowHours, profiles }, now, ids)
    )
  }

  const receipt: Inbound["receipt"] = (command) =>
    Effect.asVoid(decideAndCommit(loadReceipt(command), (world, now, ids) => applyReceipt(world, command, now, ids)))

  const means = { storage, decider, blobs, attachments, receive, receipt }

  const unexpected = (event: InboundEvent, defect: unknown): Effect.Effect<InboundEvent> =>
    Effect.as(
      Effect.logError("an event of a channel provider failed unexpectedly", Cause.die(defect)),
      InboundEvent.Unknown(asUnknown(event, "failed unexpectedly"))
    )

  /** As it can be carried out; what cannot be read is unknown. */
  const read = (connection: Connection, event: InboundEvent, now: Instant): Effect.Effect<InboundEvent> =>
    Effect.catchAllDefect(
      Effect.sync(() =>
        Either.getOrElse(readEvent(connection, providers.byKind.get(connection.provider), event, now), (problem) =>
          InboundEvent.Unknown(asUnknown(event, problem))
        )
      ),
      (defect) => unexpected(event, defect)
    )

  const takeOne = (connection: Connection, event: InboundEvent): Effect.Effect<void, CommitError> => {
    const keep = (unknown: InboundEvent) => Effect.catchTag(carryOut(means, connection, unknown), "Refusal", Effect.die)
    return carryOut(means, connection, event).pipe(
      Effect.catchTags({
        Refusal: ({ message }) => keep(InboundEvent.Unknown(asUnknown(event, message))),
        ChangesRejected: () => keep(InboundEvent.Unknown(asUnknown(event, "cannot be stored")))
      }),
      Effect.catchAllDefect((defect) => Effect.flatMap(unexpected(event, defect), keep))
    )
  }

  const take: Inbound["take"] = (connection, events) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const understood = yield* Effect.forEach(events, (event) => read(connection, event, now))
      const takeInTurn = (turn: ReadonlyArray<InboundEvent>) =>
        Effect.forEach(turn, (event) => takeOne(connection, event), { discard: true })
      const [first, ...others] = inTurn(understood)
      if (first === undefined) return
      // The rule, and not worth a fiber.
      if (others.length === 0) return yield* takeInTurn(first)
      const exits = yield* Effect.forEach([first, ...others], (turn) => Effect.exit(takeInTurn(turn)), { concurrency })
      yield* exits.find(Exit.isFailure) ?? Exit.void
    })

  return Inbound.of({ take, receive, receipt })
})

export const layer: Layer.Layer<Inbound, never, Storage | ChannelProviders | Blobs | EngineSettings | Decider> =
  Layer.effect(Inbound, make)
