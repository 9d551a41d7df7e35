import { resolve } from "node:path"
import {
  type AttachmentSettings,
  type Blobs,
  type ChannelProvider,
  channelProviders,
  defaultFailedAttemptLimits,
  defaultSettings,
  type FailedAttemptLimits,
  type Retention,
  type Storage,
  type Wakeup
} from "@parley/core"
import type { TrustedProxies } from "@parley/http"
import type { SecretKey } from "@parley/node"
import { Data, Either, Layer, LogLevel, type Redacted } from "effect"
import * as Readers from "./layers/Readers.js"
import { areRetentionDays, retentionDaysMessage, retentionOf } from "./layers/RetentionDays.js"
import { aBoolean, aNumber, areOptions, aText, makeOptionReader } from "./OptionReader.js"
import type { ParleyOptions } from "./ParleyOptions.js"
import { type ReadStorage, readStorage } from "./readStorage.js"

/** One line per invalid option. */
export class OptionsInvalid extends Data.TaggedError("OptionsInvalid")<{ readonly problems: ReadonlyArray<string> }> {
  override get message(): string {
    return `createParley: ${this.problems.join("\n")}`
  }
}

/** Validated and parsed options. */
export interface ValidatedOptions {
  readonly storage: ReadStorage | { readonly _tag: "Layer"; readonly layer: Layer.Layer<Storage | Wakeup, unknown> }
  readonly channels: ReadonlyArray<ChannelProvider>
  /** Null: the default of the storage. */
  readonly blobs: { readonly folder: string } | Layer.Layer<Blobs, unknown> | null
  readonly attachments: AttachmentSettings
  readonly secretKey: Redacted.Redacted<SecretKey.SecretKey> | null
  readonly previousSecretKeys: ReadonlyArray<Redacted.Redacted<SecretKey.SecretKey>>
  readonly adminToken: Redacted.Redacted | null
  readonly serviceName: string
  /** Empty if not mounted below a path. */
  readonly mountPath: string
  readonly publicUrl: string | null
  readonly trustedProxies: TrustedProxies
  readonly failedAttempts: FailedAttemptLimits
  readonly verdictWaitMs: number
  readonly runsPerContactAndHour: number
  readonly webhookAllow: ReadonlyArray<string>
  readonly webhookAllowHttp: boolean
  readonly retention: Retention
  readonly worker: boolean
  readonly requestLog: boolean
  readonly logLevel: LogLevel.LogLevel
}

/** Validates options, which may come from untyped JavaScript. Fails with all problems. */
export const readOptions = (options: ParleyOptions): Either.Either<ValidatedOptions, OptionsInvalid> => {
  if (!areOptions(options)) return Either.left(new OptionsInvalid({ problems: [usage] }))
  const reader = makeOptionReader()
  const { group, known, option, problems, wrong } = reader

  known("", options, optionNames)
  const webhooks = group("webhooks", options.webhooks, ["allow", "allowHttp"])
  const attachments = group("attachments", options.attachments, ["maxBytes", "types", "unsentBytes"])
  const failedAttempts = group("failedAttempts", options.failedAttempts, ["burst", "perMinute"])
  const attemptLimit = (name: keyof FailedAttemptLimits) =>
    option(`failedAttempts.${name}`, failedAttempts[name], defaultFailedAttemptLimits[name], aNumber(1))
  option("entitlements", options.entitlements, null, aFunction)
  option("notifier", options.notifier, null, aFunction)
  option("responder", options.responder, null, aFunction)
  option("logger", options.logger, null, aFunction)
  option("tracer", options.tracer, null, aTracer)

  const storage: ValidatedOptions["storage"] | null = isLayerOf<Storage | Wakeup>(options.storage)
    ? { _tag: "Layer", layer: options.storage }
    : readStorage(options.storage, reader)
  const secretKey = option("secretKey", options.secretKey, null, aText(Readers.secretKey))
  const channels = option("channels", options.channels ?? null, [], channelsOf)
  const isShared = storage !== null && !(storage._tag === "Database" && storage.database._tag === "Sqlite")
  if (options.secretKey === undefined && isShared) wrong("secretKey", needed)
  if (options.blobs === undefined && isShared && channels.some(bringsFiles)) wrong("blobs", neededPlace)

  const read = {
    channels,
    blobs: option("blobs", options.blobs, null, blobsOf),
    attachments: {
      ...defaultSettings.attachments,
      maxBytes: option("attachments.maxBytes", attachments.maxBytes, defaultSettings.attachments.maxBytes, aNumber(1)),
      unsentBytes: option(
        "attachments.unsentBytes",
        attachments.unsentBytes,
        defaultSettings.attachments.unsentBytes,
        aNumber(1)
      ),
      types: option("attachments.types", attachments.types, null, texts(Readers.mediaTypes))
    },
    secretKey,
    previousSecretKeys: option("previousSecretKeys", options.previousSecretKeys, [], texts(Readers.secretKeys)),
    adminToken: option("adminToken", options.adminToken, null, aText(Readers.token)),
    serviceName: option("serviceName", options.serviceName, defaultSettings.serviceName, aText(Readers.serviceName)),
    mountPath: option("mountPath", options.mountPath, "", aText(mountPath)),
    publicUrl: option("publicUrl", options.publicUrl, null, aText(Readers.url)),
    trustedProxies: option("trustedProxies", options.trustedProxies, [], texts(Readers.proxies)),
    failedAttempts: { burst: attemptLimit("burst"), perMinute: attemptLimit("perMinute") },
    verdictWaitMs: option("verdictWaitMs", options.verdictWaitMs, defaultSettings.verdictWait, aNumber(0)),
    runsPerContactAndHour: option(
      "runsPerContactAndHour",
      options.runsPerContactAndHour,
      defaultSettings.runsPerContactAndHour,
      aNumber(1)
    ),
    webhookAllow: option("webhooks.allow", webhooks.allow, [], texts(Readers.networks)),
    webhookAllowHttp: option("webhooks.allowHttp", webhooks.allowHttp, false, aBoolean),
    retention: option("retentionDays", options.retentionDays, defaultSettings.retention, retention),
    worker: option("worker", options.worker, true, aBoolean),
    requestLog: option("requestLog", options.requestLog, true, aBoolean),
    logLevel: option("logLevel", options.logLevel, LogLevel.Info, aText(Readers.logLevel))
  }
  return storage === null || problems.length > 0
    ? Either.left(new OptionsInvalid({ problems }))
    : Either.right({ ...read, storage })
}

/** Only checks that it is a layer: its services are not known at runtime. */
const isLayerOf = <A>(given: unknown): given is Layer.Layer<A, unknown> => Layer.isLayer(given)

/** The names of all options of `createParley`. */
export const optionNames: ReadonlyArray<string> = Object.keys({
  storage: true,
  channels: true,
  blobs: true,
  attachments: true,
  secretKey: true,
  previousSecretKeys: true,
  adminToken: true,
  serviceName: true,
  mountPath: true,
  publicUrl: true,
  trustedProxies: true,
  failedAttempts: true,
  verdictWaitMs: true,
  runsPerContactAndHour: true,
  entitlements: true,
  notifier: true,
  responder: true,
  webhooks: true,
  retentionDays: true,
  worker: true,
  requestLog: true,
  tracer: true,
  logLevel: true,
  logger: true
} satisfies { readonly [Name in keyof Required<ParleyOptions>]: true })

const usage =
  'the options must be an object with at least storage and channels, such as { storage: { url: "sqlite:./parley.db" }, channels: [sandbox()] }'

const needed =
  "must be given, unless the storage is a SQLite file: 32 bytes in base64, the same in every process on this database; `openssl rand -base64 32` makes one"

const neededPlace =
  "must be given, unless the storage is a SQLite file: { folder } or a layer, the same place in every process on this database"

/**
 * Whether customers' files can arrive by this provider: by fetching them from the vendor, by polling, or in requests.
 */
const bringsFiles = ({ fetchFile, poll, serve, webhook }: ChannelProvider): boolean =>
  [fetchFile, poll, serve, webhook].some((way) => way !== undefined)

const blobsOf = (given: unknown): Either.Either<NonNullable<ValidatedOptions["blobs"]>, string> => {
  if (isLayerOf<Blobs>(given)) return Either.right(given)
  return typeof given === "object" && given !== null && "folder" in given && typeof given.folder === "string"
    ? Either.right({ folder: resolve(given.folder) })
    : Either.left(
        'must be { folder: "<path>" } or a storage of files, such as s3({ … }) of @parley/embed/s3, or S3Blobs.layer of @parley/blobs-s3'
      )
}

const texts =
  <A>(read: (items: ReadonlyArray<string>) => Either.Either<A, string>) =>
  (given: unknown): Either.Either<A, string> =>
    Array.isArray(given) && given.every((item) => typeof item === "string")
      ? read(given)
      : Either.left("must be a list of strings")

const retention = (given: unknown): Either.Either<Retention, string> => {
  const message = `must be { events, deliveries, attempts, requestLog, runs }, of which each ${retentionDaysMessage}`
  if (typeof given !== "object" || given === null) return Either.left(message)
  const entries = Object.entries(given).filter(([, days]) => days !== undefined)
  return entries.every(([kind, days]) => Object.hasOwn(defaultSettings.retention, kind) && areRetentionDays(days))
    ? Either.mapLeft(retentionOf(given), ({ kind, neededBy }) => `must keep ${kind} at least as long as ${neededBy}`)
    : Either.left(message)
}

const aFunction = (given: unknown) =>
  typeof given === "function" ? Either.right(null) : Either.left("must be a function")

const aTracer = (given: unknown) =>
  typeof given === "object" && given !== null && "startSpan" in given && typeof given.startSpan === "function"
    ? Either.right(null)
    : Either.left('must be a tracer of OpenTelemetry, such as trace.getTracer("parley") of @opentelemetry/api')

const mountPath = (text: string) => {
  const path = text.replace(/\/+$/, "")
  return path === "" || /^(\/[\w.~-]+)+$/.test(path)
    ? Either.right(path)
    : Either.left("must be a path such as /messaging")
}

const channelsOf = (given: unknown): Either.Either<ReadonlyArray<ChannelProvider>, string> => {
  const message =
    "must list at least one channel provider, such as sandbox() of @parley/embed/sandbox, or SandboxProvider of @parley/channel-sandbox"
  if (!Array.isArray(given) || given.length === 0) return Either.left(message)
  const uncalled = given.find((item) => typeof item === "function")
  if (uncalled !== undefined)
    return Either.left(`must list providers, not functions: write ${uncalled.name || "sandbox"}()`)
  const kinds = given.map((item) => (typeof item?.send === "function" ? item.kind : undefined))
  if (kinds.some((kind) => typeof kind !== "string")) return Either.left(message)
  const twice = kinds.find((kind, index) => kinds.indexOf(kind) !== index)
  if (twice !== undefined) return Either.left(`must list each provider once; "${twice}" is listed twice`)
  return Either.try({
    try: () => [...channelProviders(given).byKind.values()],
    catch: (error) => `cannot be used together: ${(error as Error).message}`
  })
}
