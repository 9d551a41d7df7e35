import { resolve } from "node:path"
import { type TrustedProxies, trustedProxies } from "@parley/http"
import { AddressGuard, SecretKey } from "@parley/node"
import { Config, ConfigError, ConfigProvider, Data, Effect, Either, LogLevel, Redacted } from "effect"

/** Where everything is kept. */
export type Database =
  | { readonly _tag: "Sqlite"; readonly file: string }
  | { readonly _tag: "Postgres"; readonly url: Redacted.Redacted }

/** What the environment says (decisions.md §15). */
export interface Settings {
  readonly database: Database
  /** Absolute. */
  readonly dataDirectory: string
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  /** Without a slash at its end; null: as each request says. */
  readonly publicUrl: string | null
  /** Null: the one in the data directory. */
  readonly adminToken: Redacted.Redacted | null
  /** Null: the one in the data directory. */
  readonly secretKey: Redacted.Redacted<SecretKey.SecretKey> | null
  readonly serviceName: string
  readonly demo: boolean
  readonly webhookAllow: ReadonlyArray<string>
  readonly webhookAllowHttp: boolean
  readonly trustedProxies: TrustedProxies
  readonly logLevel: LogLevel.LogLevel
  readonly logFormat: "pretty" | "json"
  /** Null: nothing is traced. */
  readonly tracesUrl: string | null
}

/** One line for each setting that is wrong. */
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
    Effect.map(({ database, dataDirectory, ...settings }) => ({
      ...settings,
      dataDirectory,
      database: database ?? { _tag: "Sqlite" as const, file: resolve(dataDirectory, "parley.db") }
    })),
    Effect.mapError((error) => new SettingsInvalid({ problems: linesOf(error) }))
  )

/** A setting whose text `read` understands; left: what it must be. */
const setting = <A, B>(name: string, absent: B, read: (text: string) => Either.Either<A, string>) =>
  Config.string(name).pipe(
    Config.mapOrFail((text) => Either.mapLeft(read(text), (words) => ConfigError.InvalidData([], words))),
    Config.withDefault<A | B>(absent)
  )

const readDatabase = (text: string): Either.Either<Database, string> => {
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) {
    return Either.right({ _tag: "Postgres", url: Redacted.make(text) })
  }
  const file = /^sqlite:(?:\/\/)?(.+)$/.exec(text)?.[1]
  if (file === undefined) return Either.left("must be sqlite:<file> or postgres://<user>:<password>@<host>/<database>")
  return Either.right({ _tag: "Sqlite", file: file === ":memory:" ? file : resolve(file) })
}

const readPort = (text: string) =>
  /^\d{1,5}$/.test(text) && Number(text) <= 65_535
    ? Either.right(Number(text))
    : Either.left("must be a port from 0 to 65535")

const readUrl = (text: string) =>
  /^https?:\/\//.test(text) && URL.canParse(text)
    ? Either.right(text.replace(/\/+$/, ""))
    : Either.left("must be an http or https URL")

const readBoolean = (text: string) =>
  text === "true" || text === "false" ? Either.right(text === "true") : Either.left("must be true or false")

const readToken = (text: string) =>
  /^[\x21-\x2b\x2d-\x7e]+$/.test(text)
    ? Either.right(Redacted.make(text))
    : Either.left("must be printable ASCII without spaces and commas")

const readSecretKey = (text: string) =>
  Either.mapBoth(SecretKey.parse(text, "PARLEY_SECRET_KEY"), {
    onLeft: ({ reason }) => reason,
    onRight: (key) => Redacted.make(key)
  })

const readServiceName = (text: string) =>
  /^[a-z][a-z0-9-]{0,31}$/.test(text)
    ? Either.right(text)
    : Either.left("must be lower-case letters, digits and dashes, with a letter first, at most 32")

const listOf = (text: string) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")

const readNetworks = (text: string) =>
  Either.mapBoth(AddressGuard.make(listOf(text)), {
    onLeft: ({ cidr }) => `must be CIDRs such as 10.0.0.0/8, separated by commas; "${cidr}" is none`,
    onRight: () => listOf(text)
  })

const readProxies = (text: string) =>
  Either.mapLeft(
    trustedProxies(listOf(text)),
    (item) => `must be addresses or CIDRs, separated by commas; "${item}" is neither`
  )

const logLevels: { readonly [name: string]: LogLevel.LogLevel } = {
  trace: LogLevel.Trace,
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warn: LogLevel.Warning,
  error: LogLevel.Error,
  none: LogLevel.None
}

const readLogLevel = (text: string) =>
  Either.fromNullable(logLevels[text.toLowerCase()], () => `must be one of ${Object.keys(logLevels).join(", ")}`)

const readLogFormat = (text: string): Either.Either<"pretty" | "json", string> =>
  text === "pretty" || text === "json" ? Either.right(text) : Either.left("must be pretty or json")

const config = Config.all({
  database: setting("PARLEY_DATABASE_URL", null, readDatabase),
  dataDirectory: setting("PARLEY_DATA_DIR", resolve(".parley"), (text) => Either.right(resolve(text))),
  host: setting("PARLEY_HOST", "127.0.0.1", (text) =>
    /[\s/]/.test(text) ? Either.left("must be an address or a host name") : Either.right(text)
  ),
  port: setting("PARLEY_PORT", 8080, readPort),
  publicUrl: setting("PARLEY_PUBLIC_URL", null, readUrl),
  adminToken: setting("PARLEY_ADMIN_TOKEN", null, readToken),
  secretKey: setting("PARLEY_SECRET_KEY", null, readSecretKey),
  serviceName: setting("PARLEY_SERVICE_NAME", "parley", readServiceName),
  demo: setting("PARLEY_DEMO", true, readBoolean),
  webhookAllow: setting("PARLEY_WEBHOOK_ALLOW", [], readNetworks),
  webhookAllowHttp: setting("PARLEY_WEBHOOK_ALLOW_HTTP", false, readBoolean),
  trustedProxies: setting("PARLEY_TRUSTED_PROXIES", [], readProxies),
  logLevel: setting("PARLEY_LOG_LEVEL", LogLevel.Info, readLogLevel),
  logFormat: setting("PARLEY_LOG_FORMAT", "pretty" as const, readLogFormat),
  tracesUrl: setting("OTEL_EXPORTER_OTLP_ENDPOINT", null, readUrl)
})

const linesOf = (error: ConfigError.ConfigError): ReadonlyArray<string> =>
  error._op === "And" || error._op === "Or"
    ? [...linesOf(error.left), ...linesOf(error.right)]
    : [`${error.path.join(".")} ${error.message}`]
