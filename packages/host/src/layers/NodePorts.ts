import { hostname } from "node:os"
import {
  allowAll,
  type Blobs,
  type ChannelProvider,
  ChannelProviders,
  channelProviders,
  type EngineSettings,
  type Entitlements,
  engineSettings,
  type HttpSender,
  type Ids,
  type Notifier,
  type SecretBox
} from "@parley/core"
import { AesSecretBox, LogNotifier, type SecretKey, UuidIds } from "@parley/node"
import { Effect, Layer, Redacted } from "effect"

/** Services that an engine needs besides its storage. */
export type NodePorts =
  | Ids
  | ChannelProviders
  | HttpSender
  | SecretBox
  | Blobs
  | Notifier
  | Entitlements
  | EngineSettings

/** Services and settings that differ between hosts. */
export interface NodePortsOptions<E, EB> {
  readonly providers: ReadonlyArray<ChannelProvider>
  readonly secretKey: Effect.Effect<SecretKey.SecretKey, E>
  /** Keys that only decrypt earlier secrets. */
  readonly previousSecretKeys: ReadonlyArray<Redacted.Redacted<SecretKey.SecretKey>>
  readonly sender: Layer.Layer<HttpSender>
  readonly blobs: Layer.Layer<Blobs, EB>
  readonly settings: Partial<EngineSettings>
  /** Default: every operation is allowed. */
  readonly entitlements?: Layer.Layer<Entitlements>
  /** Default: warnings in the log. */
  readonly notifier?: Layer.Layer<Notifier>
}

/** All ports except the storage, implemented for Node. */
export const layer = <E, EB>(options: NodePortsOptions<E, EB>): Layer.Layer<NodePorts, E | EB> =>
  Layer.mergeAll(
    UuidIds.layer,
    options.notifier ?? LogNotifier.layer,
    options.entitlements ?? allowAll,
    engineSettings({ processName: `${hostname()}/${process.pid}`, ...options.settings }),
    Layer.unwrapEffect(
      Effect.map(options.secretKey, (key) => AesSecretBox.layer(key, options.previousSecretKeys.map(Redacted.value)))
    ),
    options.sender,
    options.blobs,
    Layer.sync(ChannelProviders, () => channelProviders(options.providers))
  )
