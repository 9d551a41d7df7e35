import { Effect, Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { Decider } from "../../kernel/Decider.js"
import type { AttachmentSettings } from "../../kernel/EngineSettings.js"
import { type Channels, channelOf } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import type { InboundEvent } from "../../model/InboundEvent.js"
import type { Blobs } from "../../ports/Blobs.js"
import type { ChannelProviders } from "../../ports/ChannelProvider.js"
import type { SecretBox } from "../../ports/SecretBox.js"
import { type CommitError, lookup, readById, type Storage, StorageUnavailable } from "../../ports/Storage.js"
import type { InboundFile } from "../../resources/attachments/attachFile.js"
import { attachmentId, storeInboundFile } from "../../resources/attachments/storeInboundFile.js"
import { canSyncTemplates, templateRefreshJob } from "../../resources/channels/templateRefreshJob.js"
import { changeContact } from "../../resources/contacts/changeContact.js"
import { changeHandle } from "../../resources/contacts/changeHandle.js"
import { addressOf, handleKind } from "../../resources/contacts/Handle.js"
import { optOut } from "../../resources/contacts/optOut.js"
import { loadContactAndConversation } from "../../resources/conversations/loadContactAndConversation.js"
import { subscriberLookups } from "../../resources/events/Outbox.js"
import { verifiedId } from "../../resources/messages/signedId.js"
import { recordTemplateStatus } from "../../resources/templates/recordTemplateStatus.js"
import { templateAccount } from "../../resources/templates/templateAccount.js"
import type { ReceiptCommand } from "./applyReceipt.js"
import { applyWatermarks } from "./applyWatermarks.js"
import type { InboundMessage } from "./InboundMessage.js"
import type { Echo } from "./mirrorMessage.js"
import { raiseWatermarks } from "./raiseWatermarks.js"
import { accountNoticeId, recordAccountNotice } from "./recordAccountNotice.js"
import { storeUnknownEvent } from "./storeUnknownEvent.js"
import { unsubscribing } from "./unsubscribing.js"

/** Services that applying an event needs. */
export interface InboundServices {
  readonly storage: Pick<Storage, "list" | "read">
  readonly channels: Channels
  readonly providers: ChannelProviders["byKind"]
  readonly decider: Decider
  readonly blobs: Pick<Blobs, "put">
  readonly secretBox: Pick<SecretBox, "signatures">
  readonly attachments: AttachmentSettings
  readonly receive: (connection: Connection, message: InboundMessage) => Effect.Effect<unknown, Refusal | CommitError>
  readonly mirror: (connection: Connection, echo: Echo) => Effect.Effect<unknown, Refusal | CommitError>
  readonly applyReceipt: (command: ReceiptCommand) => Effect.Effect<void, Refusal | CommitError>
  readonly importPast: (
    connection: Connection,
    history: EventOf<"History">
  ) => Effect.Effect<unknown, Refusal | CommitError>
}

type Applied = Effect.Effect<void, Refusal | CommitError>

/**
 * Applies one normalised event of a connection. Durable when it returns; idempotent. A refusal says why it was not
 * applied.
 */
export const applyInboundEvent = (services: InboundServices, connection: Connection, event: InboundEvent): Applied => {
  switch (event._tag) {
    case "Message":
      return applyMessage(services, connection, event)
    case "Echo":
      return applyEcho(services, connection, event)
    case "History":
      return Effect.asVoid(services.importPast(connection, event))
    case "Receipt":
      return applyReport(services, connection, event)
    case "Unsubscribe":
      return Effect.flatMap(unsubscribing(services, event.signedId), (found) =>
        found?.connection.id === connection.id
          ? applyContactChange(services, connection, {
              ...found.event,
              ...(event.at !== undefined && { at: event.at })
            })
          : refuse("forbidden", {}, "The signed id is not one of this connection.")
      )
    case "Watermark":
      return applyWatermark(services, connection, event)
    case "HandleChanged":
    case "OptOut":
      return applyContactChange(services, connection, event)
    case "AccountNotice":
      return applyAccountNotice(services, connection, event)
    case "TemplateStatus":
      return applyTemplateStatus(services, connection, event)
    case "Unknown":
      return services.decider.decideAndCommit(Effect.void, (_, now, ids) =>
        Either.right({ changes: storeUnknownEvent(connection, event, now, ids), result: undefined })
      )
  }
}

/** An event of one kind. */
export type EventOf<T extends InboundEvent["_tag"]> = InboundEvent & { readonly _tag: T }

const applyReport = (services: InboundServices, connection: Connection, event: EventOf<"Receipt">): Applied => {
  const { workspaceId, id: connectionId } = connection
  const { evidence, ...receipt } = event
  const command = { ...receipt, workspaceId, connectionId, settle: null }
  if (evidence == null) return services.applyReceipt(command)
  const { signedId, ...named } = evidence
  const signed =
    signedId !== null &&
    receipt.messageId !== null &&
    verifiedId(services.secretBox, "report", signedId) === receipt.messageId
  return services.applyReceipt({ ...command, evidence: { ...named, signed } })
}

const applyMessage = (services: InboundServices, connection: Connection, event: EventOf<"Message">): Applied =>
  Effect.gen(function* () {
    const { attachments, ...message } = event
    const files = yield* storeFiles(services, connection, event)
    if (files !== null) yield* services.receive(connection, { ...message, files })
  })

const applyEcho = (services: InboundServices, connection: Connection, event: EventOf<"Echo">): Applied =>
  Effect.gen(function* () {
    const { attachments, messageId = null, ...echo } = event
    const { id: connectionId, workspaceId } = connection
    const own = messageId === null ? undefined : yield* readById(services.storage, "messages", messageId)
    if (own?.direction === "outbound" && own.connectionId === connectionId) {
      const { at, providerMessageId } = echo
      const receipt = { status: "sent", at, error: null } as const
      return yield* services.applyReceipt({
        workspaceId,
        connectionId,
        providerMessageId,
        messageId,
        receipt,
        settle: null
      })
    }
    const files = yield* storeFiles(services, connection, event)
    if (files !== null) yield* services.mirror(connection, { ...echo, files })
  })

/**
 * Stores the bytes of files before the message, so that a stored message never refers to missing bytes. Null: there are
 * bytes, and the message is stored already.
 */
const storeFiles = (
  { attachments: settings, blobs, storage }: InboundServices,
  { id: connectionId }: Connection,
  { attachments, providerMessageId }: Pick<EventOf<"Message">, "attachments" | "providerMessageId">
): Effect.Effect<ReadonlyArray<InboundFile> | null, CommitError> =>
  Effect.gen(function* () {
    if (attachments.some(({ content }) => content instanceof Uint8Array)) {
      const { known } = yield* storage.read({
        known: lookup("providerMessages", { connectionId, providerMessageId })
      })
      if (known[0]?.messageId != null) return null
    }
    return yield* Effect.forEach(attachments, (attachment, position) =>
      storeInboundFile(blobs, settings, attachmentId(connectionId, providerMessageId, position), attachment)
    ).pipe(Effect.catchTag("BlobsUnavailable", (cause) => new StorageUnavailable({ cause })))
  })

/** Raises the watermarks before it updates messages: a send recorded in between reads the raised watermarks. */
const applyWatermark = (
  { decider, storage }: InboundServices,
  connection: Connection,
  event: EventOf<"Watermark">
): Applied =>
  Effect.gen(function* () {
    const at = lookup("conversations", { connectionId: connection.id, handle: event.handle })
    const load = Effect.map(storage.read({ conversations: at }), ({ conversations }) => conversations[0])
    const watermarked = yield* decider.decideAndCommit(load, (conversation) =>
      Either.right(raiseWatermarks(conversation, event))
    )
    if (watermarked !== undefined) yield* applyWatermarks(storage, decider, watermarked, event.status)
  })

const applyContactChange = (
  { channels, decider, storage }: InboundServices,
  connection: Connection,
  event: EventOf<"HandleChanged" | "OptOut">
): Applied => {
  const { workspaceId } = connection
  const channel = channelOf(channels, connection.channel)
  const moves = event._tag === "HandleChanged"
  const load = Effect.map(
    Effect.all(
      [
        loadContactAndConversation(storage, channels, connection, moves ? event.from : event.handle),
        storage.read({
          ...subscriberLookups(workspaceId),
          holders: moves ? lookup("addresses", { workspaceId, ...addressOf(handleKind(channel), event.to) }) : null
        })
      ],
      { concurrency: "unbounded" }
    ),
    ([{ contact }, { applications, endpoints, holders }]) => ({
      contact,
      holder: holders[0],
      subscribers: { applications, endpoints }
    })
  )
  return decider.decideAndCommit(load, (world, now, ids) =>
    changeContact(
      world,
      (contact) =>
        moves
          ? changeHandle(contact, { ...event, identity: channel.identity, holder: world.holder })
          : optOut(contact, event.scope, event.optedOut, event.at ?? now),
      now,
      ids
    )
  )
}

const applyAccountNotice = (
  { decider, storage }: InboundServices,
  connection: Connection,
  event: EventOf<"AccountNotice">
): Applied => {
  const { provider, workspaceId } = connection
  const load = Effect.map(
    storage.read({
      connections: lookup("connections", { workspaceId, provider }),
      known: lookup("notifications", { id: accountNoticeId(connection, event) })
    }),
    ({ connections, known }) => ({ connections, known: known[0] })
  )
  return decider.decideAndCommit(load, (world, now, ids) =>
    Either.right(recordAccountNotice(world, connection, event, now, ids))
  )
}

const applyTemplateStatus = (
  { decider, providers, storage }: InboundServices,
  connection: Connection,
  event: EventOf<"TemplateStatus">
): Applied => {
  const { channel, workspaceId } = connection
  const { language, name } = event
  const provider = providers.get(connection.provider)
  const account = templateAccount(provider, connection)
  const load = storage.read({ templates: lookup("templates", { workspaceId, channel, name, language }) })
  return Effect.asVoid(
    decider.decideAndCommit(load, ({ templates }, now) => {
      const canRefresh = provider !== undefined && canSyncTemplates(provider, connection)
      const refresh = canRefresh ? templateRefreshJob(connection, now) : null
      return recordTemplateStatus({ workspaceId, account, templates, refresh }, event, now)
    })
  )
}
