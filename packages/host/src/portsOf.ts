import { randomBytes } from "node:crypto"
import {
  type Blobs,
  BotResponder,
  type Engine,
  Entitlements,
  Notifier,
  refuse,
  type Storage,
  type Wakeup
} from "@parley/core"
import { FileBlobs, MemoryBlobs, NodeHttpSender, SecretKey } from "@parley/node"
import { Effect, Layer, Redacted } from "effect"
import * as Database from "./layers/Database.js"
import * as NodePorts from "./layers/NodePorts.js"
import type { ParleyOptions } from "./ParleyOptions.js"
import type { ValidatedOptions } from "./readOptions.js"

/** Builds the ports from the options. `openedBy`: where the program does so. */
export const portsOf = (
  read: ValidatedOptions,
  options: ParleyOptions,
  openedBy: string | undefined
): Layer.Layer<Engine.Ports, unknown> =>
  Layer.mergeAll(
    storageOf(read.storage, openedBy),
    options.responder === undefined ? Layer.empty : responderBy(options.responder),
    NodePorts.layer({
      providers: read.channels,
      secretKey: secretKeyOf(read),
      previousSecretKeys: read.previousSecretKeys,
      sender: Layer.orDie(NodeHttpSender.layer({ allow: read.webhookAllow, allowHttp: read.webhookAllowHttp })),
      settings: {
        serviceName: read.serviceName,
        verdictWait: read.verdictWaitMs,
        runsPerContactAndHour: read.runsPerContactAndHour,
        requestLog: read.requestLog,
        retention: read.retention,
        attachments: read.attachments,
        publicUrl: read.publicUrl
      },
      blobs: blobsOf(read),
      ...(options.entitlements === undefined ? {} : { entitlements: entitlementsBy(options.entitlements) }),
      ...(options.notifier === undefined ? {} : { notifier: notifierBy(options.notifier) })
    })
  )

/** Name of the source of the secret key, for errors. */
export const secretKeySettingOf = (read: ValidatedOptions): string => {
  const file = keyFileOf(read)
  return file === null || read.secretKey !== null ? "secretKey" : `The secret key in ${file}`
}

const storageOf = (
  storage: ValidatedOptions["storage"],
  openedBy: string | undefined
): Layer.Layer<Storage | Wakeup, unknown> => {
  if (storage._tag === "Layer") return storage.layer
  const { migrate, maxConnections } = storage.options
  return Database.layer(storage.database, {
    setting: Database.settingOf(storage.database),
    openedBy,
    ...(migrate === undefined ? {} : { migrate }),
    ...(maxConnections === undefined ? {} : { maxConnections })
  })
}

const secretKeyOf = (read: ValidatedOptions): Effect.Effect<SecretKey.SecretKey, SecretKey.SecretKeyInvalid> => {
  if (read.secretKey !== null) return Effect.succeed(Redacted.value(read.secretKey))
  const file = keyFileOf(read)
  // An in-memory database needs no durable key.
  return file === null ? SecretKey.parse(randomBytes(32).toString("base64"), "") : SecretKey.fromFile(file)
}

const blobsOf = ({ blobs, ...read }: ValidatedOptions): Layer.Layer<Blobs, unknown> => {
  if (blobs !== null) return "folder" in blobs ? FileBlobs.layer(blobs.folder) : blobs
  const file = fileOf(read)
  // Without a file, the database is in memory, or no channel receives files: `readOptions` rejects other cases.
  return file === null ? MemoryBlobs.layer : FileBlobs.layer(`${file}.blobs`)
}

const keyFileOf = (read: Pick<ValidatedOptions, "storage">): string | null => {
  const file = fileOf(read)
  return file === null ? null : `${file}.key`
}

/** File of a SQLite database; null for other databases. */
const fileOf = ({ storage }: Pick<ValidatedOptions, "storage">): string | null =>
  storage._tag === "Database" && storage.database._tag === "Sqlite" && storage.database.file !== ":memory:"
    ? storage.database.file
    : null

/** Timeout of the entitlements, in ms: less than that of a client's attempt. */
const entitlementsMs = 10_000

const entitlementsBy = (check: NonNullable<ParleyOptions["entitlements"]>): Layer.Layer<Entitlements> =>
  Layer.succeed(Entitlements, {
    check: (application, operation) =>
      // An error thrown here becomes a defect: the caller gets 500, and the error is logged.
      Effect.promise(async () => check(application, operation)).pipe(
        Effect.interruptible,
        Effect.timeoutFail({
          duration: entitlementsMs,
          onTimeout: () => refuse("service_unavailable", {}, `The entitlements did not answer in ${entitlementsMs} ms.`)
        }),
        Effect.flatMap((refusal) =>
          refusal === undefined ? Effect.void : refuse(refusal.code, refusal.details, refusal.message)
        )
      )
  })

const notifierBy = (notify: NonNullable<ParleyOptions["notifier"]>): Layer.Layer<Notifier> =>
  Layer.succeed(Notifier, {
    notify: (notice) =>
      Effect.tryPromise(async () => notify(notice)).pipe(
        Effect.catchAll(({ error }) => Effect.logError("The notifier failed.", error))
      )
  })

/** An error thrown here becomes a defect, which the engine treats like an unusable answer. */
const responderBy = (respond: NonNullable<ParleyOptions["responder"]>): Layer.Layer<BotResponder> =>
  Layer.succeed(BotResponder, { respond: (turn) => Effect.promise(async () => respond(turn)) })
