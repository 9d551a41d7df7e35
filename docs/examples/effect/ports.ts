import { SandboxProvider } from "@parley/channel-sandbox"
import { allowAll, ChannelProviders, channelProviders, engineSettings } from "@parley/core"
import { AesSecretBox, FileBlobs, LogNotifier, NodeHttpSender, SecretKey, UuidIds } from "@parley/node"
import * as Postgres from "@parley/postgres"
import * as Sqlite from "@parley/sqlite"
import { Config, Effect, Layer, Option, Redacted } from "effect"

const storage = Layer.unwrapEffect(
  Effect.gen(function* () {
    const url = yield* Config.option(Config.redacted("STORAGE_URL"))
    return Option.match(url, {
      onNone: () => Sqlite.layer({ file: "effect.db" }),
      onSome: (url) => Postgres.layer({ url })
    })
  })
)

const secretBox = Layer.unwrapEffect(
  Effect.gen(function* () {
    // Processes that share a database need the same key.
    const key = yield* Config.option(Config.redacted("SECRET_KEY"))
    return AesSecretBox.layer(
      yield* Option.match(key, {
        onNone: () => SecretKey.fromFile("effect.db.key"),
        onSome: (key) => SecretKey.parse(Redacted.value(key), "SECRET_KEY")
      })
    )
  })
)

/** The ports that the engine needs. Replace any of them by your own layer. */
export const ports = Layer.mergeAll(
  storage,
  secretBox,
  UuidIds.layer,
  LogNotifier.layer,
  allowAll,
  FileBlobs.layer("effect.db.blobs"),
  engineSettings({ serviceName: "acme" }),
  // For receivers on this machine: leave both out in production.
  NodeHttpSender.layer({ allow: ["127.0.0.0/8"], allowHttp: true }),
  Layer.succeed(ChannelProviders, channelProviders([SandboxProvider]))
)
