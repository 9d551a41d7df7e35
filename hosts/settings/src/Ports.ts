import { join } from "node:path"
import { email } from "@parley/channel-email"
import { messenger } from "@parley/channel-messenger"
import { SandboxProvider } from "@parley/channel-sandbox"
import { sms } from "@parley/channel-sms"
import { telegram } from "@parley/channel-telegram"
import { proofOfWork, type WebchatOptions, webchat } from "@parley/channel-webchat"
import { whatsapp } from "@parley/channel-whatsapp"
import { type Blobs as BlobsPort, defaultSettings } from "@parley/core"
import { NodePorts } from "@parley/host/layers"
import { SecretKey } from "@parley/node"
import { Effect, Layer, Redacted } from "effect"
import * as Blobs from "./Blobs.js"
import * as Outbound from "./Outbound.js"
import type { Settings } from "./Settings.js"

/** Every port except the storage, implemented on Node. */
export const layer = (
  settings: Settings,
  rules: Outbound.AddressRules
): Layer.Layer<NodePorts.NodePorts, SecretKey.SecretKeyInvalid> => {
  const { apiUrls } = settings
  return NodePorts.layer({
    providers: [
      SandboxProvider,
      whatsapp({ apiUrls }),
      messenger({ apiUrls }),
      telegram({ apiUrls }),
      sms({ apiUrls }),
      email(),
      webchat({ bounds: settings.webchat, ...challengeOf(settings) })
    ],
    secretKey: secretKeyOf(settings),
    previousSecretKeys: settings.previousSecretKeys,
    sender: Outbound.layer(settings, rules),
    blobs: blobsOf(settings),
    settings: {
      serviceName: settings.serviceName,
      requestLog: settings.requestLog,
      retention: settings.retention,
      runsPerContactAndHour: settings.runsPerContactAndHour,
      metricsApplications: settings.metricsApplications,
      attachments: {
        ...defaultSettings.attachments,
        maxBytes: settings.attachmentMaxBytes,
        types: settings.attachmentTypes,
        unsentBytes: settings.attachmentUnsentBytes
      },
      publicUrl: settings.publicUrl
    }
  })
}

const challengeOf = ({ webchatChallenge }: Settings): Pick<WebchatOptions, "challenge"> => {
  if (webchatChallenge === "off") return {}
  return { challenge: proofOfWork(webchatChallenge === "always" ? { fromLoad: 0 } : {}) }
}

/** The source of the secret key, for error messages. */
export const secretKeySetting = "PARLEY_SECRET_KEY or the secret-key file in PARLEY_DATA_DIR"

/** The admin token: the configured one, otherwise the one in the data directory, which is created if it is missing. */
export const adminTokenOf = (settings: Settings): Effect.Effect<Redacted.Redacted, SecretKey.SecretKeyInvalid> =>
  settings.adminToken === null
    ? Effect.map(SecretKey.fromFile(join(settings.dataDirectory, "admin-token")), (bytes) =>
        Redacted.make(Buffer.from(bytes).toString("base64"))
      )
    : Effect.succeed(settings.adminToken)

const blobsOf = ({ blobs, dataDirectory, database }: Settings): Layer.Layer<BlobsPort> => {
  if (blobs !== null) return Blobs.layer(blobs)
  const folder = join(dataDirectory, "blobs")
  const warning = `PARLEY_BLOBS is not set: customers' files are stored in ${folder}. Every host on this database must use the same folder.`
  return Blobs.layer({ _tag: "Folder", folder }).pipe(
    Layer.tap(() => (database._tag === "Sqlite" ? Effect.void : Effect.logWarning(warning)))
  )
}

const secretKeyOf = (settings: Settings): Effect.Effect<SecretKey.SecretKey, SecretKey.SecretKeyInvalid> => {
  if (settings.secretKey !== null) return Effect.succeed(Redacted.value(settings.secretKey))
  const file = join(settings.dataDirectory, "secret-key")
  // On Postgres there may be other hosts, and each would create a key that cannot decrypt the secrets of the others.
  const warning = `PARLEY_SECRET_KEY is not set: secrets are encrypted with ${file}. Every host on this database must use the same key.`
  return Effect.zipLeft(
    SecretKey.fromFile(file),
    settings.database._tag === "Sqlite" ? Effect.void : Effect.logWarning(warning)
  )
}
