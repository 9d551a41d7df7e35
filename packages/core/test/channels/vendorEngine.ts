import { LogNotifier, MemoryBlobs, UuidIds } from "@parley/node"
import { aConnection, aWorkspace, plainSecretBox, vendorSecret } from "@parley/testkit"
import { Effect, Layer } from "effect"
import type { Connection } from "../../src/channels/Connection.js"
import * as Engine from "../../src/Engine.js"
import { layer as engineSettings } from "../../src/EngineSettings.js"
import { ProviderHooks } from "../../src/inbound/ProviderHooks.js"
import { changes, row } from "../../src/ports/Changes.js"
import { type ChannelProvider, ChannelProviders } from "../../src/ports/ChannelProvider.js"
import { allowAll } from "../../src/ports/Entitlements.js"
import { HttpSender } from "../../src/ports/HttpSender.js"
import { Ids } from "../../src/ports/Ids.js"
import { lookup, Storage } from "../../src/ports/Storage.js"
import type { Wakeup } from "../../src/ports/Wakeup.js"

/** An engine over this storage with these providers, whose webhooks nobody hears. */
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
        Layer.succeed(ChannelProviders, { byKind: new Map(providers.map((provider) => [provider.kind, provider])) }),
        Layer.succeed(HttpSender, {
          refusal: () => null,
          post: () => Effect.succeed({ _tag: "Answered", status: 200, body: "" })
        })
      )
    )
  )

/** Connections of one new workspace, each with these parts; unless they say otherwise, their secret is `secret`. */
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

/** Asks a connection's hook. */
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

/** What was stored of a connection. */
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
