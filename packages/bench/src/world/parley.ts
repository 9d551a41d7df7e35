import { SandboxProvider } from "@parley/channel-sandbox"
import { allowAll, ChannelProviders, defaultSettings, Engine, engineSettings } from "@parley/core"
import { AesSecretBox, LogNotifier, NodeHttpSender, UuidIds } from "@parley/node"
import { Layer } from "effect"
import { type Store, storageOf } from "./Store.js"
import { secretKey } from "./seed.js"

/** No room to hand anything over: what is accepted is left to others. */
const idle = { ...defaultSettings.lanes, sends: { concurrency: 0, perSubject: 0 } }

/** The engine as a host puts it together, on the sandbox, with its lanes idle or ready to work. */
const engineOn = (store: Store, lanes: typeof defaultSettings.lanes) =>
  Engine.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        storageOf(store),
        UuidIds.layer,
        LogNotifier.layer,
        allowAll,
        engineSettings({ lanes }),
        AesSecretBox.layer(secretKey),
        NodeHttpSender.layer({ allow: ["127.0.0.0/8"], allowHttp: true }),
        Layer.succeed(ChannelProviders, { byKind: new Map([[SandboxProvider.kind, SandboxProvider]]) }),
        Layer.setTracerEnabled(false)
      )
    )
  )

/** An engine that accepts messages, and does no more about them. */
export const idleEngineOn = (store: Store) => engineOn(store, idle)

/** An engine that works off its queue. */
export const workingEngineOn = (store: Store) =>
  Engine.worker.pipe(Layer.provideMerge(engineOn(store, defaultSettings.lanes)))
