import { SandboxProvider } from "@parley/channel-sandbox"
import { allowAll, type ChannelProvider, ChannelProviders, defaultSettings, Engine, engineSettings } from "@parley/core"
import { AesSecretBox, LogNotifier, MemoryBlobs, NodeHttpSender, UuidIds } from "@parley/node"
import { Layer } from "effect"
import { type Store, storageOf } from "./Store.js"
import { secretKey } from "./seed.js"

/** No room to hand anything over: what is accepted is left to others. */
const idle = { ...defaultSettings.lanes, sends: { concurrency: 0, perSubject: 0 } }

/** The engine as a host puts it together, with its lanes idle or ready to work. */
const engineOn = (store: Store, lanes: typeof defaultSettings.lanes, provider: ChannelProvider = SandboxProvider) =>
  Engine.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        storageOf(store),
        UuidIds.layer,
        LogNotifier.layer,
        MemoryBlobs.layer,
        allowAll,
        engineSettings({ lanes }),
        AesSecretBox.layer(secretKey),
        NodeHttpSender.layer({ allow: ["127.0.0.0/8"], allowHttp: true }),
        Layer.succeed(ChannelProviders, { byKind: new Map([[provider.kind, provider]]) }),
        Layer.setTracerEnabled(false)
      )
    )
  )

/** An engine that accepts messages, and does no more about them. */
export const idleEngineOn = (store: Store) => engineOn(store, idle)

/** An engine that works off its queue, on the sandbox unless a provider is given. */
export const workingEngineOn = (store: Store, provider?: ChannelProvider) =>
  Engine.worker.pipe(Layer.provideMerge(engineOn(store, defaultSettings.lanes, provider)))
