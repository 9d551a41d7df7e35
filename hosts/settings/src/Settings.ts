import { resolve } from "node:path"
import { defaultVisitorBounds } from "@parley/channel-webchat"
import { defaultFailedAttemptLimits, defaultSettings, type FailedAttemptLimits, type Retention } from "@parley/core"
import { areRetentionDays, type Database, Readers, retentionDaysMessage, retentionOf } from "@parley/host/layers"
import type { TrustedProxies } from "@parley/http"
import type { SecretKey } from "@parley/node"
import { Config, ConfigError, ConfigProvider, Data, Effect, Either, LogLevel, Record, Redacted } from "effect"
import * as Blobs from "./Blobs.js"
import { isLoopback } from "./isLoopback.js"
import { type ExportHeaders, type Pairs, readAttributes, readHeaders } from "./otlp.js"

/** The settings from the environment (docs/reference/running.md#environment). */
export interface Settings {
  readonly database: Database.Database
  /** An absolute path. */
  readonly dataDirectory: string
  readonly host: string
  /** 0 selects a free port. */
  readonly port: number
  /** Number of processes that serve the same ports; more than one on Postgres only. */
  readonly processes: number
  /** Without a trailing slash; null: the URL of each request. */
  readonly publicUrl: string | null
  /** Null: the one in the data directory. */
  readonly adminToken: Redacted.Redacted | null
  /** Null: the one in the data directory. */
  readonly secretKey: Redacted.Redacted<SecretKey.SecretKey> | null
  /** Keys for decryption only. */
  readonly previousSecretKeys: ReadonlyArray<Redacted.Redacted<SecretKey.SecretKey>>
  readonly serviceName: string
  /** Null: the folder `blobs` in the data directory. */
  readonly blobs: Blobs.BlobsPlace | null
  /** In bytes. */
  readonly attachmentMaxBytes: number
  /** In bytes. */
  readonly attachmentUnsentBytes: number
  /** Null: all. */
  readonly attachmentTypes: ReadonlyArray<string> | null
  /** Other base URLs of vendors' APIs that connections may name; without a trailing slash. */
  readonly apiUrls: ReadonlyArray<string>
  readonly demo: boolean
  readonly webhookAllow: ReadonlyArray<string>
  readonly webhookAllowHttp: boolean
  readonly retention: Retention
  readonly trustedProxies: TrustedProxies
  /** Host names under which the admin API is served, beyond that of `publicUrl`. */
  readonly adminHosts: ReadonlyArray<string>
  readonly failedAttempts: FailedAttemptLimits
  /** Limits of web chat visitors. */
  readonly webchat: typeof defaultVisitorBounds
  /** When new web chat visitors do a proof of work: never, while there are many of them, or always. */
  readonly webchatChallenge: "off" | "under_load" | "always"
  /** Whether requests of applications are stored in the request log. */
  readonly requestLog: boolean
  readonly runsPerContactAndHour: number
  readonly logLevel: LogLevel.LogLevel
  readonly logFormat: "pretty" | "json"
  /** Whether `/metrics` is served. */
  readonly metrics: boolean
  /** Number of applications with a label value of their own in metrics; 0: no metrics by application. */
  readonly metricsApplications: number
  /**
   * The port of the probes, at `host`; null: the server's port, restricted to this machine and trusted proxies, and no
   * probes on a separate worker.
   */
  readonly probesPort: number | null
  /** How long a host serves on after `SIGTERM` while `/readyz` is 503, in s. */
  readonly shutdownDelay: number
  /** Null: no tracing. */
  readonly tracesUrl: string | null
  /** Headers of exports of each kind; null: none. */
  readonly exportHeaders: { readonly [kind in "traces" | "metrics" | "logs"]: ExportHeaders | null }
  /** The service's name in exports; null: that of the resource, else `serviceName`. */
  readonly exportName: string | null
  /** Attributes of the resource in exports, beyond ours. */
  readonly resource: Pairs
}

/** One line for each invalid setting. */
export class SettingsInvalid extends Data.TaggedError("SettingsInvalid")<{ readonly problems: ReadonlyArray<string> }> {
  override get message(): string {
    return this.problems.join("\n")
  }
}

/**
 * Reads the settings; one that is empty is unset.
 *
 * @example
 * ```ts
 * const settings = yield* fromEnvironment(process.env)
 * ```
 */
export const fromEnvironment = (environment: {
  readonly [name: string]: string | undefined
}): Effect.Effect<Settings, SettingsInvalid> =>
  Effect.suspend(() => {
    const given = new Map<string, string>()
    for (const [name, text] of Object.entries(environment)) {
      if (text !== undefined && text.trim() !== "") given.set(name, text.trim())
    }
    return ConfigProvider.fromMap(given).load(config)
  }).pipe(
    Effect.map(({ database, databaseSchema, dataDirectory, directUrl, ...settings }) => ({
      ...settings,
      dataDirectory,
      database:
        database?._tag === "Postgres"
          ? { ...database, directUrl, schema: databaseSchema }
          : (database ?? { _tag: "Sqlite" as const, file: resolve(dataDirectory, "parley.db") })
    })),
    Effect.mapError((error) => new SettingsInvalid({ problems: linesOf(error) }))
  )

/** Variables of commands and tests, which are no settings of a host. */
const otherVariables = /^PARLEY_(URL|KEY|API_KEY|CLIENT_ID|CLIENT_SECRET|WEBHOOK_SECRET|TEST_.*|CONFORMANCE_.*)$/

/** The names of all settings, and those of the environment's `PARLEY_…` variables that no setting has. */
export const unknownSettings = (environment: {
  readonly [name: string]: string | undefined
}): Effect.Effect<{ readonly known: ReadonlySet<string>; readonly unknown: ReadonlyArray<string> }> => {
  const known = new Set<string>()
  const recording = ConfigProvider.mapInputPath(ConfigProvider.fromMap(new Map()), (name) => {
    known.add(name)
    return name
  })
  return Effect.map(Effect.either(recording.load(config)), () => ({
    known,
    unknown: Object.keys(environment)
      .filter((name) => name.startsWith("PARLEY_") && !known.has(name) && !otherVariables.test(name))
      .sort()
  }))
}

/** A setting that `read` decodes; it fails with the description of valid values. */
const setting = <A, B>(name: string, absent: B, read: (text: string) => Either.Either<A, string>) =>
  Config.string(name).pipe(
    Config.mapOrFail((text) => Either.mapLeft(read(text), (message) => ConfigError.InvalidData([], message))),
    Config.withDefault<A | B>(absent)
  )

const readPort = (text: string) =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535
    ? Either.right(Number(text))
    : Either.left("must be a port from 0 to 65535")

const readProcesses = (text: string) =>
  /^[1-9]\d?$/.test(text) ? Either.right(Number(text)) : Either.left("must be a whole number from 1 to 99")

const readBoolean = (text: string) =>
  text === "true" || text === "false" ? Either.right(text === "true") : Either.left("must be true or false")

const readBytes = (text: string) =>
  /^[1-9]\d{0,11}$/.test(text) ? Either.right(Number(text)) : Either.left("must be a number of bytes of at least 1")

const readCount = (text: string) =>
  /^[1-9]\d{0,5}$/.test(text) ? Either.right(Number(text)) : Either.left("must be a whole number from 1 to 999999")

const readBound = (text: string) =>
  /^[1-9]\d{0,8}$/.test(text) ? Either.right(Number(text)) : Either.left("must be a whole number from 1 to 999999999")

const readSeconds = (text: string) =>
  /^\d{1,3}$/.test(text) ? Either.right(Number(text)) : Either.left("must be a number of seconds from 0 to 999")

const readMetricsApplications = (text: string) =>
  /^(\d{1,3}|1000)$/.test(text) ? Either.right(Number(text)) : Either.left("must be a whole number from 0 to 1000")

const listOf =
  <A>(read: (items: ReadonlyArray<string>) => Either.Either<A, string>) =>
  (text: string) => {
    const items = text.split(",").map((item) => item.trim())
    return Either.mapLeft(read(items.filter((item) => item !== "")), (message) => `${message}; commas separate several`)
  }

const readLogFormat = (text: string): Either.Either<"pretty" | "json", string> =>
  text === "pretty" || text === "json" ? Either.right(text) : Either.left("must be pretty or json")

const readChallenge = (text: string): Either.Either<Settings["webchatChallenge"], string> =>
  text === "off" || text === "under_load" || text === "always"
    ? Either.right(text)
    : Either.left("must be off, under_load or always")

const readDays = (text: string) =>
  /^\d{1,5}$/.test(text) && areRetentionDays(Number(text))
    ? Either.right(Number(text))
    : Either.left(retentionDaysMessage)

const retentionSettings = {
  events: "PARLEY_RETENTION_EVENTS_DAYS",
  deliveries: "PARLEY_RETENTION_DELIVERIES_DAYS",
  attempts: "PARLEY_RETENTION_ATTEMPTS_DAYS",
  requestLog: "PARLEY_RETENTION_REQUEST_LOG_DAYS",
  runs: "PARLEY_RETENTION_RUNS_DAYS"
} as const satisfies { readonly [Kind in keyof Retention]: string }

const retention = Config.all(Record.map(retentionSettings, (name) => setting(name, undefined, readDays))).pipe(
  Config.mapOrFail((days) =>
    Either.mapLeft(retentionOf(days), ({ kind, neededBy }) =>
      ConfigError.InvalidData(
        [retentionSettings[kind]],
        `must be at least ${retentionSettings[neededBy]}: the ${neededBy} refer to the ${kind}`
      )
    )
  )
)

const bound = (name: string, absent: number) => setting(`PARLEY_WEBCHAT_${name}`, absent, readBound)

const visitors = defaultVisitorBounds
const webchat: Config.Config<typeof defaultVisitorBounds> = Config.all({
  visitorsPerMinute: bound("VISITORS_PER_MINUTE", visitors.visitorsPerMinute),
  requestsPerMinute: bound("REQUESTS_PER_MINUTE", visitors.requestsPerMinute),
  messagesPerMinute: bound("MESSAGES_PER_MINUTE", visitors.messagesPerMinute),
  streams: bound("STREAMS", visitors.streams),
  filesPerDay: bound("FILES_PER_DAY", visitors.filesPerDay),
  fileBytesPerDay: bound("FILE_BYTES_PER_DAY", visitors.fileBytesPerDay),
  address: Config.all({
    streams: bound("ADDRESS_STREAMS", visitors.address.streams),
    streamsPerMinute: bound("ADDRESS_STREAMS_PER_MINUTE", visitors.address.streamsPerMinute),
    messagesPerMinute: bound("ADDRESS_MESSAGES_PER_MINUTE", visitors.address.messagesPerMinute),
    messageBytesPerMinute: bound("ADDRESS_MESSAGE_BYTES_PER_MINUTE", visitors.address.messageBytesPerMinute),
    fileBytesPerDay: bound("ADDRESS_FILE_BYTES_PER_DAY", visitors.address.fileBytesPerDay)
  }),
  total: Config.all({
    visitorsPerMinute: bound("TOTAL_VISITORS_PER_MINUTE", visitors.total.visitorsPerMinute),
    streams: bound("TOTAL_STREAMS", visitors.total.streams),
    streamsPerMinute: bound("TOTAL_STREAMS_PER_MINUTE", visitors.total.streamsPerMinute),
    messagesPerMinute: bound("TOTAL_MESSAGES_PER_MINUTE", visitors.total.messagesPerMinute),
    messageBytesPerMinute: bound("TOTAL_MESSAGE_BYTES_PER_MINUTE", visitors.total.messageBytesPerMinute),
    fileBytesPerDay: bound("TOTAL_FILE_BYTES_PER_DAY", visitors.total.fileBytesPerDay)
  })
})

const headersOf = (kind: "" | "TRACES_" | "METRICS_" | "LOGS_") =>
  setting(`OTEL_EXPORTER_OTLP_${kind}HEADERS`, null, readHeaders)

/** Headers of one kind replace the ones for all. */
const exportHeaders = Config.all({
  all: headersOf(""),
  traces: headersOf("TRACES_"),
  metrics: headersOf("METRICS_"),
  logs: headersOf("LOGS_")
}).pipe(
  Config.map(({ all, logs, metrics, traces }) => ({
    traces: traces ?? all,
    metrics: metrics ?? all,
    logs: logs ?? all
  }))
)

const config = Config.all({
  database: setting("PARLEY_DATABASE_URL", null, Readers.database),
  directUrl: setting("PARLEY_DATABASE_DIRECT_URL", null, Readers.postgresUrl),
  databaseSchema: setting("PARLEY_DATABASE_SCHEMA", null, Readers.schema),
  dataDirectory: setting("PARLEY_DATA_DIR", resolve(".parley"), (text) => Either.right(resolve(text))),
  host: setting("PARLEY_HOST", "127.0.0.1", (text) =>
    /[\s/]/.test(text) ? Either.left("must be an address or a host name") : Either.right(text)
  ),
  port: setting("PARLEY_PORT", 8080, readPort),
  processes: setting("PARLEY_PROCESSES", 1, readProcesses),
  publicUrl: setting("PARLEY_PUBLIC_URL", null, Readers.url),
  adminToken: setting("PARLEY_ADMIN_TOKEN", null, Readers.token),
  secretKey: setting("PARLEY_SECRET_KEY", null, Readers.secretKey),
  previousSecretKeys: setting("PARLEY_SECRET_KEY_PREVIOUS", [], listOf(Readers.secretKeys)),
  serviceName: setting("PARLEY_SERVICE_NAME", "parley", Readers.serviceName),
  blobs: setting("PARLEY_BLOBS", null, Blobs.read),
  attachmentMaxBytes: setting("PARLEY_ATTACHMENT_MAX_BYTES", defaultSettings.attachments.maxBytes, readBytes),
  attachmentUnsentBytes: setting("PARLEY_ATTACHMENT_UNSENT_BYTES", defaultSettings.attachments.unsentBytes, readBytes),
  attachmentTypes: setting("PARLEY_ATTACHMENT_TYPES", null, listOf(Readers.mediaTypes)),
  apiUrls: setting("PARLEY_API_URLS", [], listOf(Readers.urls)),
  demo: setting("PARLEY_DEMO", true, readBoolean),
  webhookAllow: setting("PARLEY_WEBHOOK_ALLOW", [], listOf(Readers.networks)),
  webhookAllowHttp: setting("PARLEY_WEBHOOK_ALLOW_HTTP", false, readBoolean),
  retention,
  trustedProxies: setting("PARLEY_TRUSTED_PROXIES", [], listOf(Readers.proxies)),
  adminHosts: setting("PARLEY_ADMIN_HOSTS", [], listOf(Readers.hostNames)),
  failedAttempts: Config.all({
    burst: setting("PARLEY_FAILED_ATTEMPTS", defaultFailedAttemptLimits.burst, readCount),
    perMinute: setting("PARLEY_FAILED_ATTEMPTS_PER_MINUTE", defaultFailedAttemptLimits.perMinute, readCount)
  }),
  webchat,
  webchatChallenge: setting("PARLEY_WEBCHAT_CHALLENGE", "under_load" as const, readChallenge),
  requestLog: setting("PARLEY_REQUEST_LOG", true, readBoolean),
  runsPerContactAndHour: setting("PARLEY_RUNS_PER_CONTACT_AND_HOUR", defaultSettings.runsPerContactAndHour, readCount),
  logLevel: setting("PARLEY_LOG_LEVEL", LogLevel.Info, (text) => Readers.logLevel(text.toLowerCase())),
  logFormat: setting("PARLEY_LOG_FORMAT", "pretty" as const, readLogFormat),
  metrics: setting("PARLEY_METRICS", true, readBoolean),
  metricsApplications: setting("PARLEY_METRICS_APPLICATIONS", 0, readMetricsApplications),
  probesPort: setting("PARLEY_PROBES_PORT", null, readPort),
  shutdownDelay: setting("PARLEY_SHUTDOWN_DELAY_SECONDS", 5, readSeconds),
  tracesUrl: setting("OTEL_EXPORTER_OTLP_ENDPOINT", null, Readers.url),
  exportHeaders,
  exportName: setting("OTEL_SERVICE_NAME", null, Either.right<string>),
  resource: setting("OTEL_RESOURCE_ATTRIBUTES", {}, readAttributes)
}).pipe(
  Config.mapOrFail((settings) => {
    if (settings.database?._tag === "Postgres") return Either.right(settings)
    const given = settings.directUrl !== null ? ["PARLEY_DATABASE_DIRECT_URL"] : ["PARLEY_DATABASE_SCHEMA"]
    return settings.directUrl !== null || settings.databaseSchema !== null
      ? Either.left(ConfigError.InvalidData(given, "is for a PARLEY_DATABASE_URL of postgres://…"))
      : Either.right(settings)
  }),
  Config.mapOrFail((settings) =>
    settings.adminToken !== null && Redacted.value(settings.adminToken).length < 24 && !isLoopback(settings.host)
      ? Either.left(
          ConfigError.InvalidData(
            ["PARLEY_ADMIN_TOKEN"],
            "must have at least 24 characters unless PARLEY_HOST is a loopback address: openssl rand -hex 32 makes one"
          )
        )
      : Either.right(settings)
  )
)

const linesOf = (error: ConfigError.ConfigError): ReadonlyArray<string> =>
  error._op === "And" || error._op === "Or"
    ? [...linesOf(error.left), ...linesOf(error.right)]
    : [`${error.path.join(".")} ${error.message}`]
