import { Clock, Context, Effect, Either } from "effect"
import { invalid, type Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import { complete } from "../../kernel/input/complete.js"
import { listNewestFirst } from "../../kernel/input/listNewestFirst.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { ofWorkspace, type WorkspaceListQuery } from "../../kernel/input/WorkspaceListQuery.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import { channelOf } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import type { Message } from "../../model/Message.js"
import { ChannelProviders } from "../../ports/ChannelProvider.js"
import { Ids } from "../../ports/Ids.js"
import { SecretBox } from "../../ports/SecretBox.js"
import { type CommitError, lookup, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { loadRecurringJobs } from "../../resources/channels/recurringJobs.js"
import { handleKind, normaliseHandle } from "../../resources/contacts/Handle.js"
import { describeContent } from "../../resources/messages/describeContent.js"
import { Inbound } from "../inbound/Inbound.js"
import { type AccountKey, accountKeys, type Holder, sandboxKind, without } from "./accounts.js"
import type { ConnectionInput, ConnectionPatch, SimulatedInbound } from "./ConnectionInput.js"
import { createConnection, requestedKeys } from "./createConnection.js"
import { readAccount } from "./readAccount.js"
import { readSettings } from "./readSettings.js"
import { updateConnection } from "./updateConnection.js"

/**
 * Administration of connections (docs/reference/administration.md#connections). Fails with `not_found` for an unknown
 * id.
 */
export interface AdminConnections {
  /** Fails with `validation_failed`, and with `connection_owned_elsewhere` if another workspace has the account. */
  readonly create: (decoded: PartialDecode<ConnectionInput>) => Effect.Effect<Connection, Refusal | CommitError>
  readonly list: (query: PartialDecode<WorkspaceListQuery>) => Effect.Effect<Listed<Connection>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Connection, Refusal | ReadError>
  readonly update: (
    id: string,
    decoded: PartialDecode<ConnectionPatch>
  ) => Effect.Effect<Connection, Refusal | CommitError>
  /**
   * Receives a message as if a customer had sent it. Fails with `validation_failed` unless the connection is of the
   * sandbox.
   */
  readonly simulateInbound: (
    id: string,
    decoded: PartialDecode<SimulatedInbound>
  ) => Effect.Effect<Message, Refusal | CommitError>
}
export const AdminConnections = Context.GenericTag<AdminConnections>("@parley/core/AdminConnections")

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const ids = yield* Ids
  const inbound = yield* Inbound
  const providers = yield* ChannelProviders
  const { seal } = yield* SecretBox
  const { decideAndCommit } = yield* Decider

  const load = (id: string) => readById(storage, "connections", id)

  /** Those that hold the accounts, or held them last. */
  const holdersOf = (keys: ReadonlyArray<AccountKey>): Effect.Effect<ReadonlyArray<Holder>, ReadError> =>
    Effect.map(
      Effect.forEach(
        keys,
        (key) =>
          Effect.gen(function* () {
            const { accounts } = yield* storage.read({ accounts: lookup("accounts", key) })
            return yield* Effect.forEach(accounts, (account) =>
              Effect.map(load(account.connectionId), (connection) => ({ account, connection }))
            )
          }),
        // The look-ups go together in one statement.
        { concurrency: "unbounded" }
      ),
      (found) => found.flat()
    )

  return AdminConnections.of({
    create: (decoded) => {
      const account = readAccount(providers, decoded.value)
      const world = Effect.all({
        workspace: readById(storage, "workspaces", decoded.value.workspaceId),
        holders: holdersOf(requestedKeys(decoded, account))
      })
      return decideAndCommit(world, (world, now, ids) => createConnection(world, { decoded, account, seal }, now, ids))
    },
    list: (query) => listNewestFirst(storage, { from: "connections", by: ofWorkspace(query) }, query),
    get: (id) => Effect.flatMap(load(id), orNotFound),
    update: (id, decoded) => {
      const world = Effect.gen(function* () {
        const connection = yield* load(id)
        const provider = connection && providers.byKind.get(connection.provider)
        if (connection === undefined) return { connection, provider, holders: [], jobs: [] }
        const config = provider && readSettings(provider, { config: decoded.value.config }).config
        const before = accountKeys(provider, connection)
        const after = accountKeys(provider, { ...connection, config: config ?? connection.config })
        const holders = yield* holdersOf([...before, ...without(after, before)])
        return { connection, provider, holders, jobs: yield* loadRecurringJobs(storage, connection) }
      })
      return decideAndCommit(world, (world, now, ids) => updateConnection(world, { decoded, seal }, now, ids))
    },
    simulateInbound: (id, decoded) =>
      Effect.gen(function* () {
        const connection = yield* orNotFound(yield* load(id))
        if (connection.provider !== sandboxKind) {
          return yield* invalid({ provider: [`must be ${sandboxKind}: only its inbound messages can be simulated`] })
        }
        const kind = handleKind(channelOf(providers.channels, connection.channel))
        const from = decoded.value.from === undefined ? null : normaliseHandle(kind, decoded.value.from)
        const { body, content = null, quoted = null } = decoded.value
        const message = yield* readById(storage, "messages", quoted ?? undefined)
        const quotes = message?.workspaceId === connection.workspaceId ? message.providerMessageId : null
        const input = yield* complete(
          decoded,
          from !== null && Either.isLeft(from) ? { from: [from.left] } : {},
          body === null && content === null ? { body: ["is required"] } : {},
          quoted !== null && quotes === null ? { quoted: ["must be the id of a message that the channel knows"] } : {}
        )
        return yield* inbound.receive(connection, {
          providerMessageId: `sandbox-in-${ids.next(yield* Clock.currentTimeMillis)}`,
          from: from === null ? input.from : Either.getOrElse(from, () => input.from),
          body: input.body ?? describeContent(input.content),
          content: input.content,
          quoted: quotes === null ? null : { providerMessageId: quotes },
          displayName: input.name
        })
      })
  })
})
