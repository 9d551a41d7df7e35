import type {
  Application,
  Blobs,
  BotAnswer,
  BotTurn,
  ChannelProvider,
  EntitledOperation,
  ErrorCode,
  Notice,
  Storage,
  Wakeup
} from "@parley/core"
import type { CallersPool } from "@parley/postgres"
import type { DriverName } from "@parley/sqlite/driverless"
import type { Layer } from "effect"
import type { LogEntry } from "./layers/LogEntry.js"
import type { RetentionDays } from "./layers/RetentionDays.js"
import type { OpenTelemetryTracer } from "./openTelemetry.js"

/** Database of the engine: its URL, or your pool. */
export type StorageOptions = StorageSettings &
  (
    | {
        /** `sqlite:<file>`, `sqlite::memory:` or `postgres://<user>:<password>@<host>/<database>`. */
        readonly url: string
        readonly pool?: undefined
        /**
         * Schema of the tables on Postgres, created if it is missing, so that a database can be shared with your tables
         * or with another engine. Default: the schema that the role's `search_path` finds.
         */
        readonly schema?: string | undefined
        /**
         * The library that has SQLite: the package `better-sqlite3`, or `node:sqlite` of Node 22.13 and later, which
         * has no native code to install. Default: the package if it is installed.
         */
        readonly driver?: DriverName | undefined
      }
    | {
        /**
         * Your `Pool` of `pg`, which Parley never ends. End it after `parley.close()`. Parley takes up to
         * `maxConnections` of its connections and one more for LISTEN. It closes them after use, so that its settings
         * never reach you.
         */
        readonly pool: CallersPool
        readonly url?: undefined
        /** Schema of the tables, created if it is missing. */
        readonly schema: string
      }
  )

interface StorageSettings {
  /**
   * A URL that reaches the same Postgres without a pooler, for LISTEN and migrations: needed where a pooler at `url`
   * shares connections between transactions. Default: `url`.
   */
  readonly directUrl?: string | undefined
  /**
   * Whether to run pending migrations at startup. If false, a database with pending migrations is rejected. Default:
   * true.
   */
  readonly migrate?: boolean | undefined
  /**
   * Maximum number of Postgres connections, without the one for LISTEN. Default: 12; of `pool` half of its `max`, with
   * the one for LISTEN.
   */
  readonly maxConnections?: number | undefined
}

/** Why an application may not perform an operation now. */
export interface EntitlementRefusal {
  /** Error code of the catalogue, for example `limit_reached` or `insufficient_balance`. Determines the HTTP status. */
  readonly code: ErrorCode
  /** Message for people. Default: the catalogue's message of the code. */
  readonly message?: string | undefined
  readonly details?: { readonly [key: string]: unknown } | undefined
}

/** Options of `createParley`. Only `storage` and `channels` are required. */
export interface ParleyOptions extends PlainOptions {
  /** A database URL, or the layer of a storage adapter. */
  readonly storage: StorageOptions | Layer.Layer<Storage | Wakeup, unknown>
  /** Channel providers, for example `SandboxProvider` of `@parley/channel-sandbox`. */
  readonly channels: ReadonlyArray<ChannelProvider>
  /**
   * Storage of customers' files: a folder, created if missing, or the layer of an adapter, for example `S3Blobs.layer`
   * of `@parley/blobs-s3`. Processes that share a database need the same location. Default with a SQLite file: the
   * folder `<file>.blobs`. Required with any other storage if a channel receives files.
   */
  readonly blobs?: { readonly folder: string } | Layer.Layer<Blobs, unknown> | undefined
}

/** The options without types of Effect, which the package `@parley/embed` has too. */
export interface PlainOptions {
  /**
   * 32 bytes in base64 that encrypt signing secrets and provider credentials. Processes that share a database need the
   * same key. Default with a SQLite file: read from `<file>.key`, created if missing. Required with any other storage.
   */
  readonly secretKey?: string | undefined
  readonly attachments?:
    | {
        /** Maximum size of a stored file, in bytes. Default: 26,214,400 (25 MiB). */
        readonly maxBytes?: number | undefined
        /**
         * Maximum total size of the uploads that an application, or the administrators of a workspace, have not sent,
         * in bytes. Default: 1,073,741,824 (1 GiB).
         */
        readonly unsentBytes?: number | undefined
        /** Media types of stored files, for example `image/*` or `application/pdf`. Default: all. */
        readonly types?: ReadonlyArray<string> | undefined
      }
    | undefined
  /** Earlier keys, or keys that other processes are about to encrypt with. They only decrypt. Default: none. */
  readonly previousSecretKeys?: ReadonlyArray<string> | undefined
  /** Bearer token of `/admin/v1`. Without it, administration is only available in process, by `parley.admin`. */
  readonly adminToken?: string | undefined
  /** Prefix of API keys, and name in `User-Agent`. Default: `parley`. */
  readonly serviceName?: string | undefined
  /**
   * Path before `/api/v1`, for example `/messaging`, if the framework leaves it in the URL, as Fastify, Hono and Next
   * do. Express strips it. Default: none.
   */
  readonly mountPath?: string | undefined
  /**
   * Public URL of the mount path, for example `https://acme.example/messaging`, for links. Default: derived from each
   * request.
   */
  readonly publicUrl?: string | undefined
  /** Addresses or CIDRs of proxies whose `X-Forwarded-For` is trusted. Default: none. */
  readonly trustedProxies?: ReadonlyArray<string> | undefined
  /**
   * Wrong credentials of one client address that are checked, on all interfaces together: in a row, then per minute.
   * Default: 600, then 60. Limits of web chat are options of `webchat` of `@parley/channel-webchat`.
   */
  readonly failedAttempts?: { readonly burst?: number | undefined; readonly perMinute?: number | undefined } | undefined
  /** How long `POST /messages` waits for the provider's verdict, in ms. 0: does not wait. Default: 2,000. */
  readonly verdictWaitMs?: number | undefined
  /** Maximum workflow runs per contact and hour. Further runs are stopped. Default: 100. */
  readonly runsPerContactAndHour?: number | undefined
  /**
   * Checks your plans and balances, as the last check before a write, for example of `messages.send`. Returns nothing
   * to allow the operation, or a refusal. Must not charge, because it may run twice for one write: charge by webhooks.
   * If it throws, the response is 500; if it takes longer than 10 s, `service_unavailable`. Nothing is written then.
   * Default: allows everything.
   */
  readonly entitlements?:
    | ((
        application: Application,
        operation: EntitledOperation
      ) => EntitlementRefusal | undefined | Promise<EntitlementRefusal | undefined>)
    | undefined
  /** Receives notifications for a workspace's administrators. Default: a warning in the log. */
  readonly notifier?: ((notice: Notice) => void | Promise<void>) | undefined
  /**
   * Your model, which answers customers for bots without steps. Times out after 30 s, may be called again for the same
   * message, and must not send messages itself. Errors are logged and retried for ten minutes; then the bot hands off
   * to a person. Default: such bots hand off at once.
   */
  readonly responder?: ((turn: BotTurn) => BotAnswer | Promise<BotAnswer>) | undefined
  readonly webhooks?:
    | {
        /** CIDRs of private networks that webhooks may reach. Default: none. */
        readonly allow?: ReadonlyArray<string> | undefined
        /** Whether http URLs may be registered. Default: false. */
        readonly allowHttp?: boolean | undefined
      }
    | undefined
  /**
   * Whether this process runs the queue's jobs: retries, receipts, webhooks, housekeeping. If false, it only hands over
   * messages that it accepts itself, and another process on the same Postgres database must run the jobs. Default:
   * true.
   */
  readonly worker?: boolean | undefined
  /**
   * Whether requests of applications are logged. Administrators list them at `/admin/v1/request-log`. Default: true.
   */
  readonly requestLog?: boolean | undefined
  /**
   * Retention of history, in days. Deliveries must not outlive events, nor attempts deliveries. Default: 90, 90, 30,
   * 30.
   */
  readonly retentionDays?: RetentionDays | undefined
  /**
   * A tracer of OpenTelemetry: `trace.getTracer("parley")` of `@opentelemetry/api`. Spans of Parley join the trace that
   * is active at a call, and continue in it from the send to the webhook, also in other processes. Default: no spans.
   */
  readonly tracer?: OpenTelemetryTracer | undefined
  /** Minimum level of log entries. Default: `info`. */
  readonly logLevel?: "trace" | "debug" | "info" | "warn" | "error" | "none" | undefined
  /** Receives log entries. Default: one JSON object per line on the console. */
  readonly logger?: ((entry: LogEntry) => void) | undefined
}
