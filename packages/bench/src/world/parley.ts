import { allowAll, type ChannelProvider, ChannelProviders, Engine, engineSettings } from "@parley/core"
import { AesSecretBox, LogNotifier, NodeHttpSender, UuidIds } from "@parley/node"
import { Layer } from "effect"
import { type Store, storageOf } from "./Store.js"
import { secretKey } from "./seed.js"

/** The engine as a host puts it together, with one provider. */
export const engineOn = (store: Store, provider: ChannelProvider) =>
  Engine.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        storageOf(store),
        UuidIds.layer,
        LogNotifier.layer,
        allowAll,
        engineSettings(),
        AesSecretBox.layer(secretKey),
        NodeHttpSender.layer({ allow: ["127.0.0.0/8"], allowHttp: true }),
        Layer.succeed(ChannelProviders, { byKind: new Map([[provider.kind, provider]]) }),
        Layer.setTracerEnabled(false)
      )
    )
  )

/** The same, which also works off its queue. */
export const workingEngineOn = (store: Store, provider: ChannelProvider) =>
  Engine.worker.pipe(Layer.provideMerge(engineOn(store, provider)))
