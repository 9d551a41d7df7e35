import { join } from "node:path"
import { SandboxProvider } from "@parley/channel-sandbox"
import {
  allowAll,
  ChannelProviders,
  type EngineSettings,
  type Entitlements,
  engineSettings,
  type HttpSender,
  type Ids,
  type Notifier,
  type SecretBox
} from "@parley/core"
import { AesSecretBox, LogNotifier, SecretKey, UuidIds } from "@parley/node"
import { Effect, Layer, Redacted } from "effect"
import * as Outbound from "./Outbound.js"
import type { Settings } from "./Settings.js"

const providers = [SandboxProvider]

/** What an engine needs of a host besides its storage. */
export type NodePorts = Ids | ChannelProviders | HttpSender | SecretBox | Notifier | Entitlements | EngineSettings

/** Every port but the storage's, as Node fulfils them. */
export const layer = (
  settings: Settings,
  rules: Outbound.AddressRules
): Layer.Layer<NodePorts, SecretKey.SecretKeyInvalid> =>
  Layer.mergeAll(
    UuidIds.layer,
    LogNotifier.layer,
    allowAll,
    engineSettings({ serviceName: settings.serviceName }),
    Layer.unwrapEffect(Effect.map(secretKeyOf(settings), AesSecretBox.layer)),
    Outbound.layer(settings, rules),
    Layer.succeed(ChannelProviders, { byKind: new Map(providers.map((provider) => [provider.kind, provider])) })
  )

/** The token of the administration: the one that is set, else the one in the data directory, which is made if need be. */
export const adminTokenOf = (settings: Settings): Effect.Effect<Redacted.Redacted, SecretKey.SecretKeyInvalid> =>
  settings.adminToken === null
    ? Effect.map(SecretKey.fromFile(join(settings.dataDirectory, "admin-token")), (bytes) =>
        Redacted.make(Buffer.from(bytes).toString("base64"))
      )
    : Effect.succeed(settings.adminToken)

const secretKeyOf = (settings: Settings): Effect.Effect<SecretKey.SecretKey, SecretKey.SecretKeyInvalid> =>
  settings.secretKey === null
    ? SecretKey.fromFile(join(settings.dataDirectory, "secret-key"))
    : Effect.succeed(Redacted.value(settings.secretKey))
