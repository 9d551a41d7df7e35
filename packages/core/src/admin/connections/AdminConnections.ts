import { Clock, Context, Effect, Either, Layer } from "effect"
import type { Connection } from "../../channels/Connection.js"
import { normaliseHandle } from "../../contacts/Handle.js"
import { Decider } from "../../Decider.js"
import { invalid, type Refusal } from "../../errors/Refusal.js"
import { Inbound } from "../../inbound/Inbound.js"
import type { Listed } from "../../input/CursorList.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import type { Message } from "../../messages/Message.js"
import { ChannelProviders } from "../../ports/ChannelProvider.js"
import { Ids } from "../../ports/Ids.js"
import { SecretBox } from "../../ports/SecretBox.js"
import { type CommitError, lookup, lookupById, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { found } from "../found.js"
import { listNewestFirst } from "../listNewestFirst.js"
import { ofWorkspace, type WorkspaceListQuery } from "../WorkspaceListQuery.js"
import type { ConnectionInput, ConnectionPatch, SimulatedInbound } from "./ConnectionInput.js"
import { createConnection } from "./createConnection.js"
import { sandbox } from "./holders.js"
import { readAccount } from "./readAccount.js"
import { updateConnection } from "./updateConnection.js"

/** Administration of channel connections (decisions.md §14). An unknown id is `not_found`. */
export interface AdminConnections {
  /** Refuses with `connection_owned_elsewhere` too. */
  readonly create: (draft: Draft<ConnectionInput>) => Effect.Effect<Connection, Refusal | CommitError>
  readonly list: (query: Draft<WorkspaceListQuery>) => Effect.Effect<Listed<Connection>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Connection, Refusal | ReadError>
  readonly update: (id: string, draft: Draft<ConnectionPatch>) => Effect.Effect<Connection, Refusal | CommitError>
  /** Takes a message in as if the customer had written it; a sandbox connection's only. */
  readonly simulateInbound: (
    id: string,
    draft: Draft<SimulatedInbound>
  ) => Effect.Effect<Message, Refusal | CommitError>
}
export const AdminConnections = Context.GenericTag<AdminConnections>("@parley/core/AdminConnections")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const ids = yield* Ids
  const inbound = yield* Inbound
  const providers = yield* ChannelProviders
  const { seal } = yield* SecretBox
  const { decideAndCommit } = yield* Decider

  const load = (id: string) => readById(storage, "connections", id)
  const accountOf = ({ provider, channel, handle }: Pick<Connection, "provider" | "channel" | "handle">) =>
    lookup("connections", { provider, channel, handle })

  return AdminConnections.of({
    create: (draft) => {
      const { workspaceId, provider, channel } = draft.value
      const account = readAccount(providers, draft.value)
      const { handle } = account
      const world = Effect.map(
        storage.read({
          workspaces: lookupById("workspaces", workspaceId),
          same:
            provider === undefined || channel === undefined || handle === undefined
              ? null
              : accountOf({ provider, channel, handle })
        }),
        ({ workspaces, same }) => ({ workspace: workspaces[0], same })
      )
      return decideAndCommit(world, (world, now, ids) => createConnection(world, { draft, account, seal }, now, ids))
    },
    list: (query) => listNewestFirst(storage, { from: "connections", by: ofWorkspace(query) }, query),
    get: (id) => Effect.flatMap(load(id), found),
    update: (id, draft) => {
      const world = Effect.gen(function* () {
        const connection = yield* load(id)
        const provider = connection && providers.byKind.get(connection.provider)
        const { same } = yield* storage.read({ same: connection === undefined ? null : accountOf(connection) })
        return { connection, provider, same }
      })
      return decideAndCommit(world, (world, now, ids) => updateConnection(world, { draft, seal }, now, ids))
    },
    simulateInbound: (id, draft) =>
      Effect.gen(function* () {
        const connection = yield* found(yield* load(id))
        if (connection.provider !== sandbox) {
          return yield* invalid({ provider: [`must be ${sandbox}: only its inbound messages can be simulated`] })
        }
        const from = draft.value.from === undefined ? null : normaliseHandle(connection.channel, draft.value.from)
        const input = yield* complete(draft, from !== null && Either.isLeft(from) ? { from: [from.left] } : {})
        return yield* inbound.receive(connection, {
          providerMessageId: `sandbox-in-${ids.next(yield* Clock.currentTimeMillis)}`,
          from: from === null ? input.from : Either.getOrElse(from, () => input.from),
          body: input.body,
          displayName: input.name
        })
      })
  })
})

export const layer: Layer.Layer<
  AdminConnections,
  never,
  Storage | Decider | Ids | Inbound | ChannelProviders | SecretBox
> = Layer.effect(AdminConnections, make)
