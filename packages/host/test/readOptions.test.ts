import { resolve } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { SandboxProvider } from "@parley/channel-sandbox"
import { day, FileGone } from "@parley/core"
import { MemoryBlobs } from "@parley/node"
import { sqlite } from "@parley/testkit/databases"
import { Either, LogLevel, Redacted } from "effect"
import type { ParleyOptions } from "../src/ParleyOptions.js"
import { readOptions } from "../src/readOptions.js"

const secretKey = Buffer.alloc(32, 7).toString("base64")
const pool = { connect: async () => ({ release: () => {} }), options: { max: 10 } }
const least: ParleyOptions = { storage: { url: "sqlite:./parley.db" }, channels: [SandboxProvider] }

const problemsOf = (options: object): ReadonlyArray<string> =>
  Either.match(readOptions({ ...least, ...options } as ParleyOptions), {
    onLeft: ({ problems }) => problems,
    onRight: () => []
  })

describe("options", () => {
  it("have defaults for everything but storage and channels", () => {
    expect(Either.getOrThrow(readOptions(least))).toEqual({
      storage: { _tag: "Database", database: { _tag: "Sqlite", file: resolve("parley.db") }, options: {} },
      channels: [SandboxProvider],
      blobs: null,
      attachments: {
        maxBytes: 26_214_400,
        types: null,
        urlLifetime: 3_600_000,
        uploadLifetime: 86_400_000,
        unsentBytes: 1_073_741_824
      },
      secretKey: null,
      previousSecretKeys: [],
      adminToken: null,
      serviceName: "parley",
      mountPath: "",
      publicUrl: null,
      trustedProxies: [],
      failedAttempts: { burst: 600, perMinute: 60 },
      verdictWaitMs: 2_000,
      runsPerContactAndHour: 100,
      webhookAllow: [],
      webhookAllowHttp: false,
      retention: { events: 90 * day, deliveries: 90 * day, attempts: 30 * day, requestLog: 30 * day, runs: 90 * day },
      worker: true,
      requestLog: true,
      logLevel: LogLevel.Info
    })
  })

  it("are parsed", () => {
    const read = Either.getOrThrow(
      readOptions({
        storage: { url: "postgres://user:password@db/parley", migrate: false, maxConnections: 4 },
        channels: [SandboxProvider],
        blobs: { folder: "files" },
        attachments: { maxBytes: 1_000, types: ["image/*", "Application/PDF"] },
        secretKey,
        previousSecretKeys: [secretKey],
        adminToken: "let-me-in",
        serviceName: "acme",
        mountPath: "/messaging/",
        publicUrl: "https://acme.example/messaging/",
        trustedProxies: ["10.1.2.3"],
        failedAttempts: { burst: 5 },
        verdictWaitMs: 0,
        runsPerContactAndHour: 20,
        webhooks: { allow: ["10.0.0.0/8"], allowHttp: true },
        retentionDays: { events: 365, attempts: undefined },
        worker: false,
        requestLog: false,
        logLevel: "warn"
      })
    )
    expect(read).toMatchObject({
      storage: { _tag: "Database", options: { migrate: false, maxConnections: 4 } },
      blobs: { folder: resolve("files") },
      attachments: { maxBytes: 1_000, types: ["image/*", "application/pdf"] },
      serviceName: "acme",
      mountPath: "/messaging",
      publicUrl: "https://acme.example/messaging",
      failedAttempts: { burst: 5, perMinute: 60 },
      verdictWaitMs: 0,
      webhookAllow: ["10.0.0.0/8"],
      retention: { events: 365 * day, deliveries: 90 * day, attempts: 30 * day, requestLog: 30 * day, runs: 90 * day },
      webhookAllowHttp: true,
      worker: false,
      requestLog: false,
      logLevel: LogLevel.Warning
    })
    expect(read.adminToken && Redacted.value(read.adminToken)).toBe("let-me-in")
    expect(read.secretKey && Redacted.value(read.secretKey)).toEqual(new Uint8Array(32).fill(7))
    expect(read.trustedProxies).toHaveLength(1)
  })

  it("that are undefined are ignored", () => {
    expect(problemsOf({ adminToken: undefined, secretKey: undefined, webhooks: undefined, logger: undefined })).toEqual(
      []
    )
  })

  it("take the layer of an adapter as storage", () => {
    expect(problemsOf({ storage: sqlite, secretKey })).toEqual([])
  })

  const wrong: ReadonlyArray<readonly [string, object, RegExp]> = [
    ["storage", { storage: undefined }, /^storage must be \{ url: "sqlite:<file>" \}/],
    ["storage.url", { storage: { url: "mysql://db" } }, /^storage\.url must be sqlite:<file> or postgres:\/\//],
    ["storage.migrate", { storage: { ...least.storage, migrate: "no" } }, /^storage\.migrate must be true or false$/],
    [
      "storage.maxConnections",
      { storage: { ...least.storage, maxConnections: 0 } },
      /^storage\.maxConnections must be/
    ],
    [
      "storage.directUrl",
      { storage: { ...least.storage, directUrl: "postgres://db/parley" } },
      /^storage\.directUrl is for a storage\.url of postgres:/
    ],
    [
      "storage.schema",
      { storage: { ...least.storage, schema: "parley" } },
      /^storage\.schema is for a storage\.url of postgres:/
    ],
    [
      "storage.driver",
      { storage: { ...least.storage, driver: "sql.js" } },
      /^storage\.driver must be better-sqlite3 or node:sqlite$/
    ],
    [
      "storage.driver on Postgres",
      { storage: { url: "postgres://db/parley", driver: "node:sqlite" }, secretKey },
      /^storage\.driver is for a storage\.url of sqlite:<file>$/
    ],
    [
      "a storage.schema that is no plain name",
      { storage: { url: "postgres://db/parley", schema: 'a"; DROP' }, secretKey },
      /^storage\.schema must be the name of a schema: at most 50 lower-case/
    ],
    ["storage.pool", { storage: { pool: {}, schema: "parley" }, secretKey }, /^storage\.pool must be a Pool of pg$/],
    [
      "storage.pool without a schema",
      { storage: { pool }, secretKey },
      /^storage\.schema must be given with storage\.pool/
    ],
    [
      "storage.pool beside storage.url",
      { storage: { pool, url: "postgres://db/parley", schema: "parley" }, secretKey },
      /^storage\.pool must not be given together with storage\.url$/
    ],
    [
      "an unknown option of storage",
      { storage: { ...least.storage, file: "x" } },
      /^storage\.file is not an option: the options are url, pool, schema, directUrl, driver, migrate, maxConnections$/
    ],
    [
      "channels",
      { channels: [] },
      /^channels must list at least one channel provider, such as sandbox\(\) of @parley\/embed\/sandbox, or SandboxProvider/
    ],
    ["missing channels", { channels: undefined }, /^channels must list/],
    ["invalid channels", { channels: ["sandbox"] }, /^channels must list/],
    [
      "a channel that is not called",
      { channels: [function sandbox() {}] },
      /^channels must list providers, not functions: write sandbox\(\)$/
    ],
    ["a channel twice", { channels: [SandboxProvider, SandboxProvider] }, /^channels .* "sandbox" is listed twice$/],
    [
      "blobs",
      { blobs: "files" },
      /^blobs must be \{ folder: "<path>" \} or a storage of files, such as s3\(\{ … \}\) of @parley\/embed\/s3, or S3Blobs/
    ],
    ["attachments.maxBytes", { attachments: { maxBytes: 0 } }, /^attachments\.maxBytes must be a whole number/],
    ["attachments.types", { attachments: { types: ["images"] } }, /^attachments\.types must be media types .*"images"/],
    [
      "an unknown option of attachments",
      { attachments: { max: 1 } },
      /^attachments\.max is not an option: the options are maxBytes, types, unsentBytes$/
    ],
    ["secretKey", { secretKey: "short" }, /^secretKey must be 32 bytes in base64, not 3$/],
    ["previousSecretKeys", { previousSecretKeys: ["short"] }, /^previousSecretKeys must be 32 bytes in base64, not 3$/],
    ["a retention of zero", { retentionDays: { events: 0 } }, /^retentionDays must be \{ events, .* from 1 to 36500$/],
    ["a retention of an unknown kind", { retentionDays: { messages: 9 } }, /^retentionDays must be \{ events, /],
    ["an invalid retention", { retentionDays: 90 }, /^retentionDays must be \{ events, /],
    [
      "deliveries that outlive their events",
      { retentionDays: { events: 30 } },
      /^retentionDays must keep events at least as long as deliveries$/
    ],
    ["adminToken", { adminToken: "" }, /^adminToken must be printable ASCII/],
    ["failedAttempts.burst", { failedAttempts: { burst: 0 } }, /^failedAttempts\.burst must be a whole number/],
    [
      "an unknown attempt limit",
      { failedAttempts: { max: 1 } },
      /^failedAttempts\.max is not an option: the options are burst, perMinute$/
    ],
    ["serviceName", { serviceName: "Acme!" }, /^serviceName must be lower-case letters/],
    ["mountPath", { mountPath: "messaging" }, /^mountPath must be a path such as \/messaging$/],
    ["publicUrl", { publicUrl: "acme.example" }, /^publicUrl must be an http or https URL$/],
    ["trustedProxies", { trustedProxies: ["everybody"] }, /^trustedProxies must be addresses or CIDRs; "everybody"/],
    [
      "trustedProxies that are not a list",
      { trustedProxies: "10.0.0.0/8" },
      /^trustedProxies must be a list of strings$/
    ],
    [
      "runsPerContactAndHour",
      { runsPerContactAndHour: 0 },
      /^runsPerContactAndHour must be a whole number of at least 1$/
    ],
    ["verdictWaitMs", { verdictWaitMs: -1 }, /^verdictWaitMs must be a whole number of at least 0$/],
    ["entitlements", { entitlements: true }, /^entitlements must be a function$/],
    ["notifier", { notifier: console }, /^notifier must be a function$/],
    ["responder", { responder: "gpt" }, /^responder must be a function$/],
    ["webhooks.allow", { webhooks: { allow: ["localhost"] } }, /^webhooks\.allow must be CIDRs/],
    ["webhooks.allowHttp", { webhooks: { allowHttp: "true" } }, /^webhooks\.allowHttp must be true or false$/],
    [
      "an unknown option of webhooks",
      { webhooks: { allowHTTP: true } },
      /^webhooks\.allowHTTP is not an option: write allowHttp$/
    ],
    ["requestLog", { requestLog: "off" }, /^requestLog must be true or false$/],
    ["worker", { worker: 1 }, /^worker must be true or false$/],
    ["logLevel", { logLevel: "loud" }, /^logLevel must be one of trace, debug, info, warn, error, none$/],
    ["logger", { logger: "console" }, /^logger must be a function$/],
    ["webhooks that are no object", { webhooks: "10.0.0.0/8" }, /^webhooks must be an object with allow, allowHttp$/],
    ["attachments that are no object", { attachments: 5 }, /^attachments must be an object with maxBytes, types/],
    ["failedAttempts that are no object", { failedAttempts: null }, /^failedAttempts must be an object with burst/],
    [
      "a misspelt option",
      { adminTokn: "x" },
      /^adminTokn is not an option: the options are storage, channels, blobs, /
    ],
    ["an option in another case", { admin_token: "x" }, /^admin_token is not an option: write adminToken$/],
    ["an unknown option", { dryRun: true }, /^dryRun is not an option: the options are storage, channels, blobs, /]
  ]
  for (const [what, options, message] of wrong) {
    it(`reject ${what}, by name`, () => {
      expect(problemsOf(options)).toEqual([expect.stringMatching(message)])
    })
  }

  it.each([[undefined], [null], ["sqlite:./parley.db"], [[least]]])("reject %j in place of an object", (given) => {
    expect(
      Either.match(readOptions(given as never), { onLeft: ({ message }) => message, onRight: () => null })
    ).toMatch(/^createParley: the options must be an object with at least storage and channels, such as \{ storage/)
  })

  it("require a secret key unless a SQLite file has one beside it", () => {
    for (const storage of [{ url: "postgres://db/parley" }, sqlite]) {
      expect(problemsOf({ storage })).toEqual([expect.stringMatching(/^secretKey must be given.*openssl rand/)])
    }
  })

  it("require blobs if a channel receives files and no SQLite file has a folder beside it", () => {
    const fetching = { ...SandboxProvider, fetchFile: () => new FileGone({ reason: "gone" }) }
    for (const storage of [{ url: "postgres://db/parley" }, sqlite]) {
      const shared = { storage, secretKey, channels: [fetching] }
      expect(problemsOf(shared)).toEqual([expect.stringMatching(/^blobs must be given, unless/)])
      expect(problemsOf({ ...shared, blobs: { folder: "files" } })).toEqual([])
      expect(problemsOf({ ...shared, blobs: MemoryBlobs.layer })).toEqual([])
      expect(problemsOf({ ...shared, channels: [SandboxProvider] })).toEqual([])
    }
    expect(problemsOf({ channels: [fetching] })).toEqual([])
  })

  it("are rejected with all problems at once, without secrets", () => {
    const problems = problemsOf({ adminToken: "two words", secretKey: "hunter2", worker: "yes" })
    expect(problems).toHaveLength(3)
    expect(problems.join()).not.toMatch(/two words|hunter2/)
  })
})
