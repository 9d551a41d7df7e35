import { SandboxProvider } from "@parley/channel-sandbox"
import {
  allowAll,
  type ChannelProvider,
  ChannelProviders,
  channelProviders,
  defaultSettings,
  Engine,
  engineSettings
} from "@parley/core"
import { AesSecretBox, LogNotifier, MemoryBlobs, NodeHttpSender, UuidIds } from "@parley/node"
import { Layer } from "effect"
import { type OnCommitted, observeCommits } from "./observeCommits.js"
import { type Store, storageOf } from "./Store.js"
import { secretKey } from "./seed.js"

/** Lanes without capacity: jobs stay in the queue. */
const idle = { ...defaultSettings.lanes, sends: { concurrency: 0, perSubject: 0 } }

/** The engine as a host assembles it, with idle or working lanes. */
const engineOn = (
  storage: ReturnType<typeof storageOf>,
  lanes: typeof defaultSettings.lanes,
  provider: ChannelProvider = SandboxProvider
) =>
  Engine.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        storage,
        UuidIds.layer,
        LogNotifier.layer,
        MemoryBlobs.layer,
        allowAll,
        engineSettings({ lanes }),
        AesSecretBox.layer(secretKey),
        NodeHttpSender.layer({ allow: ["127.0.0.0/8"], allowHttp: true }),
        Layer.succeed(ChannelProviders, channelProviders([provider])),
        Layer.setTracerEnabled(false)
      )
    )
  )

/** An engine that accepts messages but does not send them; it reports its commits. */
export const idleEngineOn = (store: Store, onCommitted: OnCommitted = () => {}) =>
  engineOn(observeCommits(storageOf(store), onCommitted), idle)

/** An engine that works its queue, with the sandbox by default. */
export const workingEngineOn = (store: Store | ReturnType<typeof storageOf>, provider?: ChannelProvider) =>
  Engine.worker.pipe(
    Layer.provideMerge(engineOn("kind" in store ? storageOf(store) : store, defaultSettings.lanes, provider))
  )
