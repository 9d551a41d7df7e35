import { Array as Arr, Cause, Clock, Context, Effect, Either, Exit } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import { EngineSettings } from "../../kernel/EngineSettings.js"
import { lruCache } from "../../kernel/lruCache.js"
import { channelOf } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import { InboundEvent, type PastMessage } from "../../model/InboundEvent.js"
import type { Instant } from "../../model/Instant.js"
import type { Message } from "../../model/Message.js"
import { Blobs, type BlobsUnavailable } from "../../ports/Blobs.js"
import { expect, type Parts, set } from "../../ports/Changes.js"
import { ChannelProviders } from "../../ports/ChannelProvider.js"
import { SecretBox } from "../../ports/SecretBox.js"
import {
  type CommitError,
  lookup,
  lookupById,
  type ReadError,
  readById,
  readByIds,
  Storage,
  StorageUnavailable
} from "../../ports/Storage.js"
import { removeFiles } from "../../resources/attachments/removeFiles.js"
import { attachmentId, storeInboundFile } from "../../resources/attachments/storeInboundFile.js"
import { capabilitiesOf } from "../../resources/channels/capabilitiesOf.js"
import { contactOfConversation } from "../../resources/contacts/contactOfConversation.js"
import { subscriberLookups } from "../../resources/events/Outbox.js"
import { numbersChoices } from "../../resources/messages/numberedChoices.js"
import { mayAnswerQuestion } from "./answerQuestion.js"
import { applyInboundEvent, type EventOf } from "./applyInboundEvent.js"
import { applyReceipt, type ReceiptCommand, type ReceiptWorld } from "./applyReceipt.js"
import type { InboundMessage } from "./InboundMessage.js"
import { type ImportCounts, importMessages } from "./importMessages.js"
import { loadEcho } from "./loadEcho.js"
import { loadHistory, providerMessagesOf } from "./loadHistory.js"
import { loadInbound } from "./loadInbound.js"
import { type Echo, mirrorMessage } from "./mirrorMessage.js"
import { partitionBySubject } from "./partitionBySubject.js"
import { readEvent } from "./readEvent.js"
import {
  erasedBy,
  type InboundCapabilities,
  type InboundWorld,
  type QuotedState,
  receiveMessage
} from "./receiveMessage.js"
import { toUnknownEvent } from "./toUnknownEvent.js"

/** Applies the events of providers: messages, receipts, template changes. */
export interface Inbound {
  /**
   * Applies all events of a provider for a connection. Durable when it returns. Events of one handle and receipts of
   * one message are applied in order, others concurrently. An event that cannot be read or that a rule refuses is
   * stored as an unknown event and does not block the others. If the storage fails for one event, the others are still
   * applied: the vendor redelivers all, and applying an event again changes nothing, except that unknown events are
   * logged again.
   */
  readonly take: (connection: Connection, events: ReadonlyArray<InboundEvent>) => Effect.Effect<void, CommitError>
  /** Stores a customer's message, once per provider message id. Durable when it returns. */
  readonly receive: (connection: Connection, message: InboundMessage) => Effect.Effect<Message, Refusal | CommitError>
  /** Stores a message that the business wrote elsewhere, once per provider message id. Durable when it returns. */
  readonly mirror: (connection: Connection, echo: Echo) => Effect.Effect<void, Refusal | CommitError>
  /**
   * Imports conversations of the past, each message once per provider message id. Durable when it returns. Repeatable
   * after a failure. A conversation that cannot be read is stored as an unknown event.
   */
  readonly importHistory: (
    connection: Connection,
    conversations: ReadonlyArray<EventOf<"History">>
  ) => Effect.Effect<ImportCounts, CommitError>
  /** Applies a receipt, or stores it until its message is known. */
  readonly applyReceipt: (command: ReceiptCommand) => Effect.Effect<void, Refusal | CommitError>
}
export const Inbound = Context.GenericTag<Inbound>("@parley/core/Inbound")

/** Number of messages of the past that one commit imports. */
const maxImportedTogether = 50

/** Number of event lists of one call that are applied concurrently, so that their commits share transactions. */
const concurrency = 32

/** Maximum number of edits in a conversation that a deletion looks through, newest first. */
const maxEdits = 1_000

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const providers = yield* ChannelProviders
  const blobs = yield* Blobs
  const secretBox = yield* SecretBox
  const { attachments } = yield* EngineSettings
  const decider = yield* Decider
  const { decideAndCommit } = decider
  /** Message id by connection and provider message id, as of the last receipt: the next one needs one read less. */
  const messageIdCache = lruCache<string>(10_000)

  const loadReceipt = (receipt: ReceiptCommand): Effect.Effect<ReceiptWorld, ReadError> =>
    Effect.gen(function* () {
      const { workspaceId, connectionId, messageId, providerMessageId, refusal = null } = receipt
      const cacheKey = `${connectionId} ${providerMessageId}`
      const guessedId = messageIdCache.get(cacheKey) ?? messageId
      const found = yield* storage.read({
        ...subscriberLookups(workspaceId),
        known: lookup("providerMessages", { connectionId, providerMessageId }),
        guessed: lookupById("messages", guessedId),
        connections: refusal === null ? null : lookupById("connections", connectionId)
      })
      const known = found.known[0]
      const knownId = known?.messageId ?? messageId
      const message = knownId === guessedId ? found.guessed[0] : yield* readById(storage, "messages", knownId)
      if (known?.messageId != null) messageIdCache.set(cacheKey, known.messageId)
      const connection = found.connections[0]
      const optsOut = receipt.optOut != null
      // A merge moves the conversation at once, and its messages later.
      const conversation =
        receipt.evidence == null && !optsOut
          ? undefined
          : yield* readById(storage, "conversations", message?.conversationId)
      return {
        known,
        message,
        connection,
        contact: optsOut ? yield* contactOfConversation(storage, conversation) : undefined,
        recipient: conversation?.handle,
        subscribers: { endpoints: found.endpoints, applications: found.applications }
      }
    })

  /** Removes the bytes of messages' files, and returns the changes that delete their files and the vendor's JSON. */
  const removeContent = (messages: ReadonlyArray<Message>): Effect.Effect<Parts, ReadError | BlobsUnavailable> =>
    Effect.zipWith(
      removeFiles(storage, blobs, messages),
      storage.read(Object.fromEntries(messages.map(({ id }) => [id, lookup("events", { subjectId: id })]))),
      (files, events) => {
        const withJson = Object.values(events)
          .flat()
          .filter(({ raw }) => raw !== null)
        return {
          ...files,
          expects: [...(files.expects ?? []), ...withJson.map(({ id }) => expect("events", { id }))],
          sets: withJson.map(({ id }) => set("events", { id }, { raw: null }))
        }
      }
    )

  /** The edits of a message, newest first. */
  const editsOf = ({ conversationId, createdAt, direction, id }: Message) => {
    const where = { conversationId, type: "edit", direction } as const
    return Effect.map(
      storage.list({ from: "messages", where, after: null, since: createdAt, limit: maxEdits }),
      (edits) => edits.filter(({ envelope }) => envelope?.quoted?.messageId === id)
    )
  }

  const quotedState = (
    world: Pick<InboundWorld, "message" | "quoted">,
    { content }: Pick<InboundMessage, "content">
  ): Effect.Effect<QuotedState, ReadError | BlobsUnavailable> => {
    const { message, quoted } = world
    if (message !== undefined || quoted === undefined) return Effect.succeed(noQuotedState)
    if (content?.type === "edit") {
      return Effect.gen(function* () {
        const edits = yield* editsOf(quoted)
        const shown = edits[0] ?? quoted
        const { attachedFiles } = yield* readByIds(storage, { attachedFiles: shown.attachments.map(({ id }) => id) })
        return { ...noQuotedState, edits, shownFiles: attachedFiles }
      })
    }
    if (content?.type !== "deletion" || erasedBy(world) === undefined) return Effect.succeed(noQuotedState)
    return Effect.gen(function* () {
      const edits = yield* editsOf(quoted)
      return { ...noQuotedState, edits, removed: yield* removeContent([quoted, ...edits]) }
    })
  }

  /** The world of a message, with what is stored of the message that it edits or deletes. */
  const withQuoted = <World extends Pick<InboundWorld, "message" | "quoted">>(
    load: Effect.Effect<World, ReadError>,
    message: Pick<InboundMessage, "content">
  ) =>
    Effect.flatMap(load, (world) => Effect.map(quotedState(world, message), (state) => ({ ...world, ...state }))).pipe(
      Effect.catchTag("BlobsUnavailable", (cause) => new StorageUnavailable({ cause }))
    )

  const inboundCapabilities = (connection: Connection): InboundCapabilities => ({
    identity: channelOf(providers.channels, connection.channel).identity,
    serviceWindowHours: capabilitiesOf(providers, connection).serviceWindowHours,
    profiles: providers.byKind.get(connection.provider)?.profileName !== undefined
  })

  const receive: Inbound["receive"] = (connection, message) => {
    const capabilities = capabilitiesOf(providers, connection)
    const mayAnswer = message.content?.type === "choice" || (numbersChoices(capabilities) && mayAnswerQuestion(message))
    const load = withQuoted(loadInbound(storage, providers.channels, connection, message, mayAnswer), message)
    return decideAndCommit(load, (world, now, ids) =>
      receiveMessage(world, connection, message, inboundCapabilities(connection), now, ids)
    )
  }

  const mirror: Inbound["mirror"] = (connection, echo) =>
    Effect.asVoid(
      decideAndCommit(withQuoted(loadEcho(storage, providers.channels, connection, echo), echo), (world, now, ids) =>
        mirrorMessage(world, connection, echo, inboundCapabilities(connection), now, ids)
      )
    )

  /** Leaves out stored messages whose files come as bytes, which would be stored again. */
  const withoutStoredBytes = (
    { id }: Connection,
    messages: ReadonlyArray<PastMessage>
  ): Effect.Effect<ReadonlyArray<PastMessage>, ReadError> => {
    const withBytes = messages.flatMap(({ attachments, providerMessageId }) =>
      attachments.some(({ content }) => content instanceof Uint8Array) ? [providerMessageId] : []
    )
    return withBytes.length === 0
      ? Effect.succeed(messages)
      : Effect.map(providerMessagesOf(storage, id, withBytes), (known) =>
          messages.filter(({ providerMessageId }) => known.get(providerMessageId)?.messageId == null)
        )
  }

  /** Imports messages of the past, whose handle and texts are read. */
  const importPast = (
    connection: Connection,
    { messages, ...history }: EventOf<"History">
  ): Effect.Effect<ImportCounts, Refusal | CommitError> => {
    const importSome = (some: ReadonlyArray<PastMessage>) =>
      Effect.gen(function* () {
        const fresh = yield* withoutStoredBytes(connection, some)
        const withFiles = yield* Effect.forEach(fresh, ({ attachments: files, ...past }) =>
          Effect.map(
            Effect.forEach(files, (file, position) =>
              storeInboundFile(blobs, attachments, attachmentId(connection.id, past.providerMessageId, position), file)
            ),
            (files) => ({ ...past, files })
          )
        )
        const given = { ...history, messages: withFiles }
        const counts = yield* decideAndCommit(
          loadHistory(storage, providers.channels, connection, given),
          (world, now, ids) => importMessages(world, connection, given, inboundCapabilities(connection), now, ids)
        )
        return sumOf(counts, { imported: 0, known: some.length - fresh.length })
      }).pipe(Effect.catchTag("BlobsUnavailable", (cause) => new StorageUnavailable({ cause })))
    return Effect.reduce(Arr.chunksOf(messages, maxImportedTogether), noImports, (sum, some) =>
      Effect.map(importSome(some), (counts) => sumOf(sum, counts))
    )
  }

  const commitReceipt: Inbound["applyReceipt"] = (command) =>
    Effect.asVoid(decideAndCommit(loadReceipt(command), (world, now, ids) => applyReceipt(world, command, now, ids)))

  const services = {
    storage,
    channels: providers.channels,
    providers: providers.byKind,
    decider,
    blobs,
    secretBox,
    attachments,
    receive,
    mirror,
    importPast,
    applyReceipt: commitReceipt
  }

  const unexpected = (event: InboundEvent, defect: unknown): Effect.Effect<InboundEvent> =>
    Effect.as(
      Effect.logError("an event of a channel provider failed unexpectedly", Cause.die(defect)),
      InboundEvent.Unknown(toUnknownEvent(event, "failed unexpectedly"))
    )

  /** Normalises an event. An unreadable one becomes an unknown event. */
  const read = (connection: Connection, event: InboundEvent, now: Instant): Effect.Effect<InboundEvent> =>
    Effect.catchAllDefect(
      Effect.sync(() =>
        Either.getOrElse(readEvent(connection, providers.byKind.get(connection.provider), event, now), (problem) =>
          InboundEvent.Unknown(toUnknownEvent(event, problem))
        )
      ),
      (defect) => unexpected(event, defect)
    )

  const takeOne = (connection: Connection, event: InboundEvent): Effect.Effect<void, CommitError> => {
    const keep = (unknown: InboundEvent) =>
      Effect.catchTag(applyInboundEvent(services, connection, unknown), "Refusal", Effect.die)
    return applyInboundEvent(services, connection, event).pipe(
      Effect.catchTags({
        Refusal: ({ message }) => keep(InboundEvent.Unknown(toUnknownEvent(event, message))),
        ChangesRejected: () => keep(InboundEvent.Unknown(toUnknownEvent(event, "cannot be stored")))
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
      const [first, ...others] = partitionBySubject(understood)
      if (first === undefined) return
      // The usual case: one list needs no fiber of its own.
      if (others.length === 0) return yield* takeInTurn(first)
      const exits = yield* Effect.forEach([first, ...others], (turn) => Effect.exit(takeInTurn(turn)), { concurrency })
      yield* exits.find(Exit.isFailure) ?? Exit.void
    })

  const importHistory: Inbound["importHistory"] = (connection, conversations) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const counts = yield* Effect.forEach(
        conversations,
        (conversation) =>
          Effect.flatMap(read(connection, conversation, now), (event) =>
            event._tag === "History"
              ? importPast(connection, event).pipe(
                  Effect.catchTags({
                    Refusal: ({ message }) => unimported(connection, event, message),
                    ChangesRejected: () => unimported(connection, event, "cannot be stored")
                  })
                )
              : Effect.as(takeOne(connection, event), noImports)
          ),
        { concurrency }
      )
      return counts.reduce(sumOf, noImports)
    })

  const unimported = (connection: Connection, event: InboundEvent, problem: string) =>
    Effect.as(takeOne(connection, InboundEvent.Unknown(toUnknownEvent(event, problem))), noImports)

  return Inbound.of({ take, receive, mirror, importHistory, applyReceipt: commitReceipt })
})

/** Of a message that neither edits nor deletes another one. */
const noQuotedState: QuotedState = { edits: [], shownFiles: new Map(), removed: {} }

const noImports: ImportCounts = { imported: 0, known: 0 }

const sumOf = (one: ImportCounts, other: ImportCounts): ImportCounts => ({
  imported: one.imported + other.imported,
  known: one.known + other.known
})
