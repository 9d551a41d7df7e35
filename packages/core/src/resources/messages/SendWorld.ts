import { Effect, type Either, Option } from "effect"
import type { LRUCache } from "lru-cache"
import { isUuid } from "../../kernel/input/Fields.js"
import { isAllowListed } from "../../model/Application.js"
import type { Capabilities, ChannelDefinition, Channels } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import type { Contact } from "../../model/Contact.js"
import type { Conversation } from "../../model/Conversation.js"
import type { IdempotencyRecord } from "../../model/IdempotencyRecord.js"
import type { Message } from "../../model/Message.js"
import type { Template } from "../../model/Template.js"
import type { Upload } from "../../model/Upload.js"
import type { ChannelProvider, ChannelProviders } from "../../ports/ChannelProvider.js"
import {
  lookup,
  lookupById,
  type RateToken,
  type RateTokenRequest,
  type ReadError,
  readById,
  type Storage
} from "../../ports/Storage.js"
import type { Caller } from "../access/Caller.js"
import { usableUploads } from "../attachments/usableUploads.js"
import { addressOf, handleKind, normaliseHandle } from "../contacts/Handle.js"
import { type Subscribers, subscriberLookups } from "../events/Outbox.js"
import { chooseConnection } from "./chooseConnection.js"
import type { UrlProblem } from "./readContent.js"
import type { SendCommand } from "./SendCommand.js"

type SendDraft = SendCommand["decoded"]

/** The sending application, either by itself or through a run that its event started. */
export type Sender = Pick<Caller, "application" | "workspace">

/** What the rules of `POST /messages` may read. */
export interface SendWorld {
  readonly caller: Sender
  /** The channel to send on; undefined if it is not readable or no provider declares it. */
  readonly channel: ChannelDefinition | undefined
  readonly channels: Channels
  readonly record: IdempotencyRecord | undefined
  /** All connections of the workspace, allow-listed or not. */
  readonly connections: ReadonlyArray<Connection>
  readonly provider: (
    connection: Connection
  ) => { readonly provider: ChannelProvider; readonly capabilities: Capabilities } | undefined
  /** The normalised handle, or its validation message. None if `channel` or `to` is not readable. */
  readonly handle: Option.Option<Either.Either<string, string>>
  /** The conversation whose id is `to`. Default: none; `to` is a handle. */
  readonly addressed?: Conversation | undefined
  /** Of a handle that is no identity: the contact of its conversation on the chosen connection. */
  readonly contact: Contact | undefined
  /** The conversations with this handle on any connection. */
  readonly conversations: ReadonlyArray<Conversation>
  /** The templates of this name on the channel, of all accounts. */
  readonly templates: ReadonlyArray<Template>
  /** The message with the id in `quoted`, of any workspace. */
  readonly quoted: Message | undefined
  /** The uploads in `attachments` that the application may send. */
  readonly uploads: ReadonlyArray<Upload>
  readonly subscribers: Subscribers
  /** Default: no file may be fetched. */
  readonly urlProblem?: UrlProblem | undefined
  /** The token of the sends bucket that was taken with this read; null if this send takes none. */
  readonly token: RateToken | null
}

/**
 * The conversation whose id is the recipient of a send. Applications do not see handles that are no identities, such as
 * those of web chat visitors: they address a visitor by the id of a conversation that they may see.
 */
const addressedConversation = (
  storage: Storage,
  { application, workspace }: Sender,
  channel: ChannelDefinition | undefined,
  to: string | undefined
): Effect.Effect<Conversation | undefined, ReadError> =>
  channel === undefined || channel.identity !== null || to === undefined || !isUuid(to)
    ? Effect.succeed(undefined)
    : Effect.map(readById(storage, "conversations", to.toLowerCase()), (conversation) =>
        conversation?.channel === channel.name &&
        conversation.workspaceId === workspace.id &&
        isAllowListed(application, conversation.connectionId)
          ? conversation
          : undefined
      )

/**
 * Reads the data of a send, as far as its input is readable. Takes a token of the sends bucket in the same read, to
 * save a round trip; the caller refunds it if no message is accepted.
 */
export const loadSendWorld = (
  {
    providers,
    recipientCache,
    storage
  }: {
    readonly storage: Storage
    readonly providers: ChannelProviders
    /** Contact id by address, as of the last send. */
    readonly recipientCache: LRUCache<string, string>
  },
  caller: Sender,
  { value }: SendDraft,
  /** Null: no idempotency lookup. */
  idempotencyKey: string | null,
  tokenRequest: RateTokenRequest | null
): Effect.Effect<SendWorld, ReadError> =>
  Effect.gen(function* () {
    const workspaceId = caller.workspace.id
    const { channels } = providers
    const channel = channels.find(({ name }) => name === value.channel)
    const addressed = yield* addressedConversation(storage, caller, channel, value.to)
    const to = addressed?.handle ?? value.to
    const handle =
      channel === undefined || to === undefined ? Option.none() : Option.some(normaliseHandle(handleKind(channel), to))
    const known = Option.flatMap(handle, Option.getRight)
    const cacheKey = `${workspaceId} ${value.channel} ${Option.getOrElse(known, () => "")}`
    const cachedContactId = recipientCache.get(cacheKey)
    const lookups = {
      ...subscriberLookups(workspaceId),
      records:
        idempotencyKey === null
          ? null
          : lookup("idempotency", { applicationId: caller.application.id, key: idempotencyKey }),
      connections: lookup("connections", { workspaceId }),
      addresses:
        Option.isSome(known) && channel !== undefined
          ? lookup("addresses", { workspaceId, ...addressOf(handleKind(channel), known.value) })
          : null,
      conversations: Option.isSome(known) ? lookup("conversations", { workspaceId, handle: known.value }) : null,
      contacts: lookupById("contacts", cachedContactId),
      templates:
        value.channel !== undefined && value.message?.template != null
          ? lookup("templates", { workspaceId, channel: value.channel, name: value.message.template })
          : null,
      quoted: lookupById("messages", value.message?.quoted ?? undefined)
    }
    const { rateToken, found } =
      tokenRequest === null
        ? { rateToken: null, found: yield* storage.read(lookups) }
        : yield* storage.readAndTakeToken(lookups, tokenRequest)
    const uploads = yield* usableUploads(storage, caller.application.id, value.message?.attachments ?? [])
    const address = found.addresses[0]
    const conversations = found.conversations.filter(({ channel }) => channel === value.channel)
    const contactOfConversations = (): string | undefined => {
      const { application } = caller
      const choice = { application, connections: found.connections, addressed, conversations }
      const own = conversationOn(choice, chooseConnection(choice, value)?.id)
      // A handle that is no identity can be another person's on another connection.
      return (own ?? (channel?.identity === null ? undefined : conversations[0]))?.contactId
    }
    const contactId = address?.contactId ?? contactOfConversations()
    const contact =
      contactId === undefined || contactId === cachedContactId
        ? found.contacts[0]
        : (yield* storage.read({ contacts: lookup("contacts", { id: contactId }) })).contacts[0]
    if (contact !== undefined) recipientCache.set(cacheKey, contact.id)
    return {
      caller,
      channel,
      channels,
      record: found.records[0],
      connections: found.connections,
      provider: (connection) => {
        const provider = providers.byKind.get(connection.provider)
        return provider && { provider, capabilities: provider.capabilities(connection) }
      },
      handle,
      addressed,
      contact: contactId === undefined ? undefined : contact,
      conversations,
      templates: found.templates,
      quoted: found.quoted[0],
      uploads,
      subscribers: { endpoints: found.endpoints, applications: found.applications },
      token: rateToken
    }
  })

/** The conversation with the recipient on a connection, if it exists. */
export const conversationOn = (
  { conversations }: Pick<SendWorld, "conversations">,
  connectionId: string | undefined
): Conversation | undefined => conversations.find((conversation) => conversation.connectionId === connectionId)
