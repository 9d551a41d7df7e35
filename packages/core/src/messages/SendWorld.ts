import { Effect, type Either, Option } from "effect"
import type { Caller } from "../access/Caller.js"
import type { IdempotencyRecord } from "../access/IdempotencyRecord.js"
import type { Capabilities } from "../channels/Channel.js"
import type { Connection } from "../channels/Connection.js"
import type { Contact } from "../contacts/Contact.js"
import { addressOf, normaliseHandle } from "../contacts/Handle.js"
import type { Conversation } from "../conversations/Conversation.js"
import { type Subscribers, subscriberLookups } from "../events/Outbox.js"
import type { Hints } from "../Hints.js"
import { isUuid } from "../input/Fields.js"
import type { ChannelProvider, ChannelProviders } from "../ports/ChannelProvider.js"
import { type Draw, type Drawn, lookup, lookupById, type ReadError, readById, type Storage } from "../ports/Storage.js"
import type { Template } from "../templates/Template.js"
import type { SendCommand } from "./SendCommand.js"

type SendDraft = SendCommand["draft"]

/** Who sends: an application, itself or by a run that its event started. */
export type Sender = Pick<Caller, "application" | "workspace">

/** All that the rules of `POST /messages` may look at. */
export interface SendWorld {
  readonly caller: Sender
  readonly record: IdempotencyRecord | undefined
  /** Every connection of the workspace, allow-listed or not. */
  readonly connections: ReadonlyArray<Connection>
  readonly provider: (
    connection: Connection
  ) => { readonly provider: ChannelProvider; readonly capabilities: Capabilities } | undefined
  /** The normalised handle, or what is wrong with it; none where `channel` or `to` could not be read. */
  readonly handle: Option.Option<Either.Either<string, string>>
  readonly contact: Contact | undefined
  /** Those with this handle on any connection. */
  readonly conversations: ReadonlyArray<Conversation>
  /** Those of this name on the channel, one a language. */
  readonly templates: ReadonlyArray<Template>
  readonly subscribers: Subscribers
}

/**
 * The handle that a send names. A web chat visitor has none that applications are shown: the id of the conversation with
 * them stands for it, where the caller sees that one.
 */
const spokenTo = (
  storage: Storage,
  { application, workspace }: Sender,
  { channel, to }: SendDraft["value"]
): Effect.Effect<string | undefined, ReadError> =>
  channel !== "webchat" || to === undefined || !isUuid(to)
    ? Effect.succeed(to)
    : Effect.map(readById(storage, "conversations", to.toLowerCase()), (conversation) =>
        conversation?.channel === channel &&
        conversation.workspaceId === workspace.id &&
        application.connectionIds.includes(conversation.connectionId)
          ? conversation.handle
          : to
      )

/** Reads the world of a send, as far as its input could be read, and with it what is to be drawn. */
export const loadSendWorld = (
  storage: Storage,
  providers: ChannelProviders,
  /** Which contact an address had. */
  hints: Hints<string>,
  caller: Sender,
  { value }: SendDraft,
  /** Null: there is no record to look for. */
  idempotencyKey: string | null,
  draw: Draw | null
): Effect.Effect<{ readonly world: SendWorld; readonly drawn: Drawn | null }, ReadError> =>
  Effect.gen(function* () {
    const workspaceId = caller.workspace.id
    const to = yield* spokenTo(storage, caller, value)
    const handle =
      value.channel === undefined || to === undefined ? Option.none() : Option.some(normaliseHandle(value.channel, to))
    const known = Option.flatMap(handle, Option.getRight)
    const hint = `${workspaceId} ${value.channel} ${Option.getOrElse(known, () => "")}`
    const hinted = hints.get(hint)
    const lookups = {
      ...subscriberLookups(workspaceId),
      records:
        idempotencyKey === null
          ? null
          : lookup("idempotency", { applicationId: caller.application.id, key: idempotencyKey }),
      connections: lookup("connections", { workspaceId }),
      addresses:
        Option.isSome(known) && value.channel !== undefined
          ? lookup("addresses", { workspaceId, ...addressOf(value.channel, known.value) })
          : null,
      conversations: Option.isSome(known) ? lookup("conversations", { workspaceId, handle: known.value }) : null,
      contacts: lookupById("contacts", hinted),
      templates:
        value.channel !== undefined && value.message?.template != null
          ? lookup("templates", { workspaceId, channel: value.channel, name: value.message.template })
          : null
    }
    const { drawn, found } =
      draw === null
        ? { drawn: null, found: yield* storage.read(lookups) }
        : yield* storage.readAndTakeToken(lookups, draw)
    const address = found.addresses[0]
    const conversations = found.conversations.filter(({ channel }) => channel === value.channel)
    const contactId = address?.contactId ?? conversations[0]?.contactId
    const contact =
      contactId === undefined || contactId === hinted
        ? found.contacts[0]
        : (yield* storage.read({ contacts: lookup("contacts", { id: contactId }) })).contacts[0]
    if (contact !== undefined) hints.set(hint, contact.id)
    const world: SendWorld = {
      caller,
      record: found.records[0],
      connections: found.connections,
      provider: (connection) => {
        const provider = providers.byKind.get(connection.provider)
        return provider && { provider, capabilities: provider.capabilities(connection) }
      },
      handle,
      contact: contactId === undefined ? undefined : contact,
      conversations,
      templates: found.templates,
      subscribers: { endpoints: found.endpoints, applications: found.applications }
    }
    return { world, drawn }
  })
