import { LogNotifier, MemoryBlobs, UuidIds } from "@parley/node"
import { plainSecretBox, vendorSecret } from "@parley/testkit"
import { aConnection, aWorkspace } from "@parley/testkit/rows"
import { Effect, Layer } from "effect"
import * as Engine from "../../../src/Engine.js"
import { ProviderHooks } from "../../../src/flows/inbound/ProviderHooks.js"
import { layer as engineSettings } from "../../../src/kernel/EngineSettings.js"
import type { Connection } from "../../../src/model/Connection.js"
import { changes, row } from "../../../src/ports/Changes.js"
import { type ChannelProvider, ChannelProviders } from "../../../src/ports/ChannelProvider.js"
import { allowAll } from "../../../src/ports/Entitlements.js"
import { HttpSender } from "../../../src/ports/HttpSender.js"
import { Ids } from "../../../src/ports/Ids.js"
import { lookup, Storage } from "../../../src/ports/Storage.js"
import type { Wakeup } from "../../../src/ports/Wakeup.js"
import { channelProviders } from "../../../src/resources/channels/channelProviders.js"

/** An engine over this storage with these providers; webhooks are answered with 200 and not recorded. */
export const vendorEngine = <E>(storage: Layer.Layer<Storage | Wakeup, E>, providers: ReadonlyArray<ChannelProvider>) =>
  Engine.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        storage,
        UuidIds.layer,
        LogNotifier.layer,
        MemoryBlobs.layer,
        allowAll,
        plainSecretBox,
        engineSettings({ verdictWait: 0 }),
        Layer.succeed(ChannelProviders, channelProviders(providers)),
        Layer.succeed(HttpSender, {
          refusal: () => null,
          post: () => Effect.succeed({ _tag: "Answered", status: 200, body: "" })
        })
      )
    )
  )

/** Connections of one new workspace with these fields. Default of their secret: `secret`. */
export const connectionsWith = <const Parts extends ReadonlyArray<Partial<Connection>>>(...parts: Parts) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const ids = yield* Ids
    const next = () => ids.next(1_700_000_000_000)
    const workspace = aWorkspace({ id: next() })
    const credentials = vendorSecret("secret")
    const connections = parts.map((its) =>
      aConnection({
        id: next(),
        workspaceId: workspace.id,
        channel: "telegram",
        provider: "vendor",
        config: { account: "own" },
        credentials,
        ...its
      })
    )
    yield* storage.commit(
      changes(workspace.id, {
        claims: [row("workspaces", workspace)],
        inserts: connections.map((connection) => row("connections", connection))
      })
    )
    return connections as { readonly [K in keyof Parts]: Connection }
  })

/** Sends a request to a connection's provider hook. */
export const ask = (
  connectionId: string,
  request: {
    readonly method?: string
    readonly path?: string
    readonly query?: { readonly [name: string]: string }
  } & {
    readonly headers?: { readonly [name: string]: string }
    readonly body?: string
  }
) =>
  Effect.gen(function* () {
    const { body = "", headers = {}, method = "POST", path = "", query = {} } = request
    const hook = yield* (yield* ProviderHooks).at(connectionId, path)
    return yield* hook.answer({ method, path, query, headers, body: Buffer.from(body) })
  })

/** The stored message texts and unknown events of a connection. */
export const storedOf = ({ id: connectionId }: Pick<Connection, "id">) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.map(
      storage.read({
        messages: lookup("messages", { connectionId }),
        unknown: lookup("unknownEvents", { connectionId })
      }),
      ({ messages, unknown }) => ({ texts: messages.map(({ body }) => body).sort(), unknown })
    )
  )
