import { Effect, Either } from "effect"
import { attachmentId, bringFile } from "../attachments/bringFile.js"
import type { Connection } from "../channels/Connection.js"
import { changeContact } from "../contacts/changeContact.js"
import { changeHandle } from "../contacts/changeHandle.js"
import { addressOf } from "../contacts/Handle.js"
import { optOut } from "../contacts/optOut.js"
import { loadAcquaintance } from "../conversations/loadAcquaintance.js"
import type { Decider } from "../Decider.js"
import type { AttachmentSettings } from "../EngineSettings.js"
import { type Refusal, refuse } from "../errors/Refusal.js"
import { subscriberLookups } from "../events/Outbox.js"
import type { Blobs } from "../ports/Blobs.js"
import { type CommitError, lookup, type Storage, StorageUnavailable } from "../ports/Storage.js"
import { changeTemplate } from "../templates/changeTemplate.js"
import type { ReceiptCommand } from "./applyReceipt.js"
import type { InboundEvent } from "./InboundEvent.js"
import { keepUnknown } from "./keepUnknown.js"
import { moveByMarks } from "./moveByMarks.js"
import { raiseMarks } from "./raiseMarks.js"
import type { InboundMessage } from "./receiveMessage.js"

/** What carrying out an event needs. */
export interface InboundMeans {
  readonly storage: Pick<Storage, "list" | "read">
  readonly decider: Decider
  readonly blobs: Pick<Blobs, "put">
  readonly attachments: AttachmentSettings
  readonly receive: (connection: Connection, message: InboundMessage) => Effect.Effect<unknown, Refusal | CommitError>
  readonly receipt: (command: ReceiptCommand) => Effect.Effect<void, Refusal | CommitError>
}

type Carried = Effect.Effect<void, Refusal | CommitError>

/**
 * Carries out one event of a connection, as `readEvent` made it; durable when it answers, and harmless when it is done again. A
 * refusal says why it could not be.
 */
export const carryOut = (means: InboundMeans, connection: Connection, event: InboundEvent): Carried => {
  switch (event._tag) {
    case "Message":
      return takeMessage(means, connection, event)
    case "Receipt": {
      const { workspaceId, id: connectionId } = connection
      return means.receipt({ ...event, workspaceId, connectionId, settle: null })
    }
    case "Watermark":
      return takeWatermark(means, connection, event)
    case "HandleChanged":
    case "OptOut":
      return takeContactChange(means, connection, event)
    case "TemplateStatus":
      return takeTemplateStatus(means, connection, event)
    case "Unknown":
      return means.decider.decideAndCommit(Effect.void, (_, now, ids) =>
        Either.right({ changes: keepUnknown(connection, event, now, ids), result: undefined })
      )
  }
}

type Told<T extends InboundEvent["_tag"]> = InboundEvent & { readonly _tag: T }

/** Bytes are kept before the message that has them is stored, so that what is stored is there. */
const takeMessage = (means: InboundMeans, connection: Connection, event: Told<"Message">): Carried =>
  Effect.gen(function* () {
    const { attachments, providerMessageId, ...message } = event
    const connectionId = connection.id
    if (attachments.some(({ content }) => content instanceof Uint8Array)) {
      const { known } = yield* means.storage.read({
        known: lookup("providerMessages", { connectionId, providerMessageId })
      })
      if (known[0]?.messageId != null) return
    }
    const files = yield* Effect.forEach(attachments, (attachment, position) =>
      bringFile(means.blobs, means.attachments, attachmentId(connectionId, providerMessageId, position), attachment)
    ).pipe(Effect.catchTag("BlobsUnavailable", (cause) => new StorageUnavailable({ cause })))
    yield* means.receive(connection, { ...message, providerMessageId, files })
  })

/** First the marks, then the messages before them: one whose send is recorded in between is moved as it is recorded. */
const takeWatermark = ({ decider, storage }: InboundMeans, connection: Connection, event: Told<"Watermark">): Carried =>
  Effect.gen(function* () {
    const at = lookup("conversations", { connectionId: connection.id, handle: event.handle })
    const load = Effect.map(storage.read({ conversations: at }), ({ conversations }) => conversations[0])
    const marked = yield* decider.decideAndCommit(load, (conversation) => Either.right(raiseMarks(conversation, event)))
    if (marked !== undefined) yield* moveByMarks(storage, decider, marked)
  })

const takeContactChange = (
  { decider, storage }: InboundMeans,
  connection: Connection,
  event: Told<"HandleChanged" | "OptOut">
): Carried => {
  const { channel, workspaceId } = connection
  const moves = event._tag === "HandleChanged"
  const load = Effect.map(
    Effect.all(
      [
        loadAcquaintance(storage, connection, moves ? event.from : event.handle),
        storage.read({
          ...subscriberLookups(workspaceId),
          holders: moves ? lookup("addresses", { workspaceId, ...addressOf(channel, event.to) }) : null
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
          ? changeHandle(contact, { ...event, channel, holder: world.holder })
          : optOut(contact, event.scope, event.optedOut),
      now,
      ids
    )
  )
}

const takeTemplateStatus = (
  { decider, storage }: InboundMeans,
  { channel, workspaceId }: Connection,
  { language, name, status }: Told<"TemplateStatus">
): Carried => {
  const load = storage.read({ templates: lookup("templates", { workspaceId, channel, name, language }) })
  return Effect.asVoid(
    decider.decideAndCommit(load, ({ templates: [template] }) =>
      template === undefined
        ? Either.left(refuse("not_found", {}, "There is no template of this name and language."))
        : Either.right(changeTemplate(template, { status }))
    )
  )
}
