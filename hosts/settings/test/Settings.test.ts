import { resolve } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { defaultVisitorBounds } from "@parley/channel-webchat"
import { day } from "@parley/core"
import { Effect, LogLevel, Redacted } from "effect"
import { fromEnvironment, unknownSettings } from "../src/Settings.js"

const problemsOf = (environment: { readonly [name: string]: string }) =>
  Effect.map(Effect.flip(fromEnvironment(environment)), ({ problems }) => problems)

describe("settings", () => {
  it.effect("have defaults for everything", () =>
    Effect.gen(function* () {
      expect(yield* fromEnvironment({})).toEqual({
        database: { _tag: "Sqlite", file: resolve(".parley/parley.db") },
        adminHosts: [],
        dataDirectory: resolve(".parley"),
        host: "127.0.0.1",
        port: 8080,
        processes: 1,
        publicUrl: null,
        adminToken: null,
        secretKey: null,
        previousSecretKeys: [],
        serviceName: "parley",
        blobs: null,
        attachmentMaxBytes: 26_214_400,
        attachmentUnsentBytes: 1_073_741_824,
        attachmentTypes: null,
        apiUrls: [],
        demo: true,
        webhookAllow: [],
        webhookAllowHttp: false,
        retention: { events: 90 * day, deliveries: 90 * day, attempts: 30 * day, requestLog: 30 * day, runs: 90 * day },
        trustedProxies: [],
        failedAttempts: { burst: 600, perMinute: 60 },
        webchat: defaultVisitorBounds,
        requestLog: true,
        runsPerContactAndHour: 100,
        logLevel: LogLevel.Info,
        webchatChallenge: "under_load",
        logFormat: "pretty",
        metrics: true,
        metricsApplications: 0,
        probesPort: null,
        shutdownDelay: 5,
        tracesUrl: null,
        exportHeaders: { traces: null, metrics: null, logs: null },
        exportName: null,
        resource: {}
      })
    })
  )

  it.effect("that do not exist are named, but not variables of commands and tests", () =>
    Effect.gen(function* () {
      const given = { PARLEY_PROT: "1", PARLEY_PORT: "1", PARLEY_RETENTION_RUNS_DAYS: "9", PARLEY_URL: "", PATH: "" }
      const { known, unknown } = yield* unknownSettings({ ...given, PARLEY_TEST_CHROMIUM: "" })
      expect(unknown).toEqual(["PARLEY_PROT"])
      expect([...known]).toEqual(expect.arrayContaining(["PARLEY_PORT", "PARLEY_RETENTION_RUNS_DAYS"]))
    })
  )

  it.effect("that are empty are unset", () =>
    Effect.gen(function* () {
      const empty = { PARLEY_PORT: "", PARLEY_DEMO: " ", PARLEY_SECRET_KEY: "", PARLEY_WEBHOOK_ALLOW: "" }
      expect(yield* fromEnvironment(empty)).toEqual(yield* fromEnvironment({}))
    })
  )

  it.effect("are read", () =>
    Effect.gen(function* () {
      const settings = yield* fromEnvironment({
        PARLEY_DATABASE_URL: "postgres://user:password@db:5432/parley",
        PARLEY_DATA_DIR: "/var/lib/parley",
        PARLEY_HOST: "0.0.0.0",
        PARLEY_PORT: "0",
        PARLEY_PUBLIC_URL: "https://messages.example.org/",
        PARLEY_ADMIN_TOKEN: "let-me-in-or-i-will-wait",
        PARLEY_SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
        PARLEY_SECRET_KEY_PREVIOUS: [8, 9].map((byte) => Buffer.alloc(32, byte).toString("base64")).join(", "),
        PARLEY_SERVICE_NAME: "acme",
        PARLEY_BLOBS: "s3://acme-files/parley?region=eu-central-1",
        PARLEY_ATTACHMENT_MAX_BYTES: "1000000",
        PARLEY_ATTACHMENT_TYPES: "image/*, Application/PDF",
        PARLEY_API_URLS: "http://botapi:8081/, https://simulator.example",
        PARLEY_DEMO: "false",
        PARLEY_WEBHOOK_ALLOW: "10.0.0.0/8, fd00::/8",
        PARLEY_WEBHOOK_ALLOW_HTTP: "true",
        PARLEY_RETENTION_EVENTS_DAYS: "365",
        PARLEY_RETENTION_DELIVERIES_DAYS: "30",
        PARLEY_RETENTION_ATTEMPTS_DAYS: "7",
        PARLEY_RETENTION_REQUEST_LOG_DAYS: "1",
        PARLEY_RETENTION_RUNS_DAYS: "2",
        PARLEY_TRUSTED_PROXIES: "10.1.2.3",
        PARLEY_REQUEST_LOG: "false",
        PARLEY_ADMIN_HOSTS: "Admin.example.org, intranet",
        PARLEY_FAILED_ATTEMPTS: "5",
        PARLEY_FAILED_ATTEMPTS_PER_MINUTE: "1",
        PARLEY_WEBCHAT_VISITORS_PER_MINUTE: "1",
        PARLEY_WEBCHAT_REQUESTS_PER_MINUTE: "2",
        PARLEY_WEBCHAT_MESSAGES_PER_MINUTE: "3",
        PARLEY_WEBCHAT_STREAMS: "4",
        PARLEY_WEBCHAT_ADDRESS_STREAMS: "5",
        PARLEY_WEBCHAT_ADDRESS_MESSAGES_PER_MINUTE: "6",
        PARLEY_WEBCHAT_ADDRESS_MESSAGE_BYTES_PER_MINUTE: "7",
        PARLEY_WEBCHAT_TOTAL_VISITORS_PER_MINUTE: "8",
        PARLEY_WEBCHAT_TOTAL_STREAMS: "9",
        PARLEY_WEBCHAT_TOTAL_MESSAGES_PER_MINUTE: "10",
        PARLEY_WEBCHAT_TOTAL_MESSAGE_BYTES_PER_MINUTE: "11",
        PARLEY_WEBCHAT_FILES_PER_DAY: "12",
        PARLEY_WEBCHAT_FILE_BYTES_PER_DAY: "13",
        PARLEY_WEBCHAT_ADDRESS_FILE_BYTES_PER_DAY: "14",
        PARLEY_WEBCHAT_TOTAL_FILE_BYTES_PER_DAY: "15",
        PARLEY_WEBCHAT_ADDRESS_STREAMS_PER_MINUTE: "16",
        PARLEY_WEBCHAT_TOTAL_STREAMS_PER_MINUTE: "17",
        PARLEY_WEBCHAT_CHALLENGE: "always",
        PARLEY_RUNS_PER_CONTACT_AND_HOUR: "20",
        PARLEY_LOG_LEVEL: "warn",
        PARLEY_LOG_FORMAT: "json",
        PARLEY_METRICS: "false",
        PARLEY_METRICS_APPLICATIONS: "1000",
        PARLEY_PROBES_PORT: "9100",
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318"
      })
      expect(settings.database).toEqual({
        _tag: "Postgres",
        url: Redacted.make("postgres://user:password@db:5432/parley"),
        directUrl: null,
        schema: null
      })
      expect(settings).toMatchObject({
        dataDirectory: "/var/lib/parley",
        host: "0.0.0.0",
        port: 0,
        publicUrl: "https://messages.example.org",
        serviceName: "acme",
        blobs: { _tag: "S3", bucket: "acme-files", prefix: "parley/", region: "eu-central-1", endpoint: null },
        attachmentMaxBytes: 1_000_000,
        attachmentUnsentBytes: 1_073_741_824,
        attachmentTypes: ["image/*", "application/pdf"],
        apiUrls: ["http://botapi:8081", "https://simulator.example"],
        demo: false,
        webhookAllow: ["10.0.0.0/8", "fd00::/8"],
        webhookAllowHttp: true,
        retention: { events: 365 * day, deliveries: 30 * day, attempts: 7 * day, requestLog: day, runs: 2 * day },
        adminHosts: ["admin.example.org", "intranet"],
        failedAttempts: { burst: 5, perMinute: 1 },
        webchatChallenge: "always",
        webchat: {
          visitorsPerMinute: 1,
          requestsPerMinute: 2,
          messagesPerMinute: 3,
          streams: 4,
          filesPerDay: 12,
          fileBytesPerDay: 13,
          address: {
            streams: 5,
            streamsPerMinute: 16,
            messagesPerMinute: 6,
            messageBytesPerMinute: 7,
            fileBytesPerDay: 14
          },
          total: {
            visitorsPerMinute: 8,
            streams: 9,
            streamsPerMinute: 17,
            messagesPerMinute: 10,
            messageBytesPerMinute: 11,
            fileBytesPerDay: 15
          }
        },
        requestLog: false,
        runsPerContactAndHour: 20,
        logLevel: LogLevel.Warning,
        logFormat: "json",
        tracesUrl: "http://collector:4318"
      })
      expect(settings.adminToken && Redacted.value(settings.adminToken)).toBe("let-me-in-or-i-will-wait")
      expect(settings.secretKey && Redacted.value(settings.secretKey)).toEqual(new Uint8Array(32).fill(7))
      expect(settings.previousSecretKeys.map((key) => Redacted.value(key)[0])).toEqual([8, 9])
      expect(settings.trustedProxies).toHaveLength(1)
    })
  )

  for (const [host, length, isRefused] of [
    ["0.0.0.0", 23, true],
    ["messages.example.org", 23, true],
    ["0.0.0.0", 24, false],
    ["127.0.0.1", 1, false],
    ["::1", 1, false],
    ["localhost", 1, false]
  ] as const) {
    it.effect(`${isRefused ? "refuse" : "accept"} an admin token of ${length} characters on ${host}`, () =>
      Effect.gen(function* () {
        const environment = { PARLEY_HOST: host, PARLEY_ADMIN_TOKEN: "x".repeat(length) }
        if (isRefused) {
          const [problem, ...others] = yield* problemsOf(environment)
          expect(problem).toMatch(/^PARLEY_ADMIN_TOKEN must have at least 24 characters/)
          expect(others).toEqual([])
        } else {
          expect((yield* fromEnvironment(environment)).host).toBe(host)
        }
      })
    )
  }

  it.effect("name several Postgres hosts, a URL without the pooler and a schema", () =>
    Effect.gen(function* () {
      const url = "postgres://user:password@a,b:5433/parley?target_session_attrs=read-write"
      const { database } = yield* fromEnvironment({
        PARLEY_DATABASE_URL: url,
        PARLEY_DATABASE_DIRECT_URL: url,
        PARLEY_DATABASE_SCHEMA: "parley"
      })
      expect(database).toEqual({
        _tag: "Postgres",
        url: Redacted.make(url),
        directUrl: Redacted.make(url),
        schema: "parley"
      })
      expect(yield* problemsOf({ PARLEY_DATABASE_URL: "postgres://a,b/parley?target_session_attrs=any" })).toEqual([
        "PARLEY_DATABASE_URL must have target_session_attrs=read-write or none: Parley connects to the host that accepts writes"
      ])
      expect(yield* problemsOf({ PARLEY_DATABASE_DIRECT_URL: url })).toEqual([
        "PARLEY_DATABASE_DIRECT_URL is for a PARLEY_DATABASE_URL of postgres://…"
      ])
      expect(yield* problemsOf({ PARLEY_DATABASE_SCHEMA: "parley" })).toEqual([
        "PARLEY_DATABASE_SCHEMA is for a PARLEY_DATABASE_URL of postgres://…"
      ])
      for (const name of ["Parley", "my-app", 'a"b', "pg_parley", "information_schema", "1st", "a".repeat(51)]) {
        expect(yield* problemsOf({ PARLEY_DATABASE_URL: url, PARLEY_DATABASE_SCHEMA: name })).toEqual([
          expect.stringMatching(/^PARLEY_DATABASE_SCHEMA must be the name of a schema/)
        ])
      }
    })
  )

  it.effect("name a SQLite file as a path or a URL", () =>
    Effect.gen(function* () {
      const files = { "sqlite:data/x.db": resolve("data/x.db"), "sqlite:/data/x.db": "/data/x.db" }
      for (const [text, file] of Object.entries({
        ...files,
        "sqlite:///data/x.db": "/data/x.db",
        "sqlite::memory:": ":memory:"
      })) {
        const { database } = yield* fromEnvironment({ PARLEY_DATABASE_URL: text })
        expect(database).toEqual({ _tag: "Sqlite", file })
      }
    })
  )

  it.effect("keep nothing shorter than what needs it", () =>
    Effect.gen(function* () {
      expect(yield* problemsOf({ PARLEY_RETENTION_EVENTS_DAYS: "89", PARLEY_PORT: "x" })).toEqual([
        "PARLEY_PORT must be a port from 0 to 65535",
        "PARLEY_RETENTION_EVENTS_DAYS must be at least PARLEY_RETENTION_DELIVERIES_DAYS: the deliveries refer to the events"
      ])
      expect(yield* problemsOf({ PARLEY_RETENTION_DELIVERIES_DAYS: "29" })).toEqual([
        "PARLEY_RETENTION_DELIVERIES_DAYS must be at least PARLEY_RETENTION_ATTEMPTS_DAYS: the attempts refer to the deliveries"
      ])
    })
  )

  it.effect("are refused with a line each, all at once, that names the setting and never shows a secret", () =>
    Effect.gen(function* () {
      const problems = yield* problemsOf({
        PARLEY_DATABASE_URL: "mysql://root:hunter2@db/parley",
        PARLEY_HOST: "http://localhost",
        PARLEY_PORT: "65536",
        PARLEY_PUBLIC_URL: "messages.example.org",
        PARLEY_ADMIN_TOKEN: "hunter2 hunter2",
        PARLEY_SECRET_KEY: "aHVudGVyMg==",
        PARLEY_SECRET_KEY_PREVIOUS: "aHVudGVyMg==",
        PARLEY_SERVICE_NAME: "Acme Inc.",
        PARLEY_BLOBS: "s3://hunter2@acme-files",
        PARLEY_ATTACHMENT_MAX_BYTES: "25M",
        PARLEY_ATTACHMENT_TYPES: "pictures",
        PARLEY_API_URLS: "simulator.example",
        PARLEY_DEMO: "1",
        PARLEY_WEBHOOK_ALLOW: "10.0.0.0/8,intranet",
        PARLEY_WEBHOOK_ALLOW_HTTP: "yes",
        PARLEY_RETENTION_EVENTS_DAYS: "0",
        PARLEY_RETENTION_DELIVERIES_DAYS: "-90",
        PARLEY_RETENTION_ATTEMPTS_DAYS: "7.5",
        PARLEY_RETENTION_REQUEST_LOG_DAYS: "for ever",
        PARLEY_RETENTION_RUNS_DAYS: "90d",
        PARLEY_TRUSTED_PROXIES: "proxy.local",
        PARLEY_FAILED_ATTEMPTS: "0",
        PARLEY_FAILED_ATTEMPTS_PER_MINUTE: "few",
        PARLEY_WEBCHAT_TOTAL_STREAMS: "all",
        PARLEY_WEBCHAT_CHALLENGE: "on",
        PARLEY_RUNS_PER_CONTACT_AND_HOUR: "many",
        PARLEY_LOG_LEVEL: "loud",
        PARLEY_LOG_FORMAT: "xml",
        PARLEY_METRICS_APPLICATIONS: "1001",
        OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318",
        OTEL_EXPORTER_OTLP_HEADERS: "hunter2",
        OTEL_EXPORTER_OTLP_TRACES_HEADERS: "authorization=hunter2%",
        OTEL_EXPORTER_OTLP_METRICS_HEADERS: "a b=hunter2",
        OTEL_EXPORTER_OTLP_LOGS_HEADERS: "a=hunter2%0A",
        OTEL_RESOURCE_ATTRIBUTES: "=hunter2"
      })
      expect(problems.map((line) => line.split(" ")[0])).toEqual([
        "PARLEY_DATABASE_URL",
        "PARLEY_HOST",
        "PARLEY_PORT",
        "PARLEY_PUBLIC_URL",
        "PARLEY_ADMIN_TOKEN",
        "PARLEY_SECRET_KEY",
        "PARLEY_SECRET_KEY_PREVIOUS",
        "PARLEY_SERVICE_NAME",
        "PARLEY_BLOBS",
        "PARLEY_ATTACHMENT_MAX_BYTES",
        "PARLEY_ATTACHMENT_TYPES",
        "PARLEY_API_URLS",
        "PARLEY_DEMO",
        "PARLEY_WEBHOOK_ALLOW",
        "PARLEY_WEBHOOK_ALLOW_HTTP",
        "PARLEY_RETENTION_EVENTS_DAYS",
        "PARLEY_RETENTION_DELIVERIES_DAYS",
        "PARLEY_RETENTION_ATTEMPTS_DAYS",
        "PARLEY_RETENTION_REQUEST_LOG_DAYS",
        "PARLEY_RETENTION_RUNS_DAYS",
        "PARLEY_TRUSTED_PROXIES",
        "PARLEY_FAILED_ATTEMPTS",
        "PARLEY_FAILED_ATTEMPTS_PER_MINUTE",
        "PARLEY_WEBCHAT_TOTAL_STREAMS",
        "PARLEY_WEBCHAT_CHALLENGE",
        "PARLEY_RUNS_PER_CONTACT_AND_HOUR",
        "PARLEY_LOG_LEVEL",
        "PARLEY_LOG_FORMAT",
        "PARLEY_METRICS_APPLICATIONS",
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        "OTEL_EXPORTER_OTLP_HEADERS",
        "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
        "OTEL_EXPORTER_OTLP_METRICS_HEADERS",
        "OTEL_EXPORTER_OTLP_LOGS_HEADERS",
        "OTEL_RESOURCE_ATTRIBUTES"
      ])
      for (const line of problems) {
        expect(line).toMatch(/^\S+ must be /)
        expect(line).not.toMatch(/hunter2|aHVudGVyMg|\n/)
      }
    })
  )
})
