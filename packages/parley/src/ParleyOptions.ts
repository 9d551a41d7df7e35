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
import type { Layer } from "effect"
import type { LogEntry } from "./host/LogEntry.js"
import type { RetentionDays } from "./host/RetentionDays.js"

/** Where everything is kept. */
export interface StorageOptions {
  /** `sqlite:<file>`, `sqlite::memory:` or `postgres://<user>:<password>@<host>/<database>`. */
  readonly url: string
  /** Whether missing migrations are run at the start; else a database that lacks them is refused. Default: true. */
  readonly migrate?: boolean | undefined
  /** Connections to Postgres. Default: 12. */
  readonly maxConnections?: number | undefined
}

/** Why an application may not do what it asks for now. */
export interface EntitlementRefusal {
  /** A code of the catalogue, such as `limit_reached` or `insufficient_balance`; it decides the status. */
  readonly code: ErrorCode
  /** A sentence for people. Default: what the code means. */
  readonly message?: string | undefined
  readonly details?: { readonly [key: string]: unknown } | undefined
}

/** What {@link createParley} takes. Only `storage` and `channels` are needed. */
export interface ParleyOptions {
  /** A database by its URL, or the layer of a storage adapter. */
  readonly storage: StorageOptions | Layer.Layer<Storage | Wakeup, unknown>
  /** The channel providers, such as `SandboxProvider` of `@parley/channel-sandbox`. */
  readonly channels: ReadonlyArray<ChannelProvider>
  /**
   * 32 bytes in base64, which signing secrets and provider credentials are encrypted with; processes that share a database
   * need the same one. Default on a SQLite file: in `<file>.key`, made where it is missing. With any other storage it has to
   * be given.
   */
  readonly secretKey?: string | undefined
  /**
   * Where files that customers send are kept: a folder, which is made where it is missing, or the layer of an adapter, such as
   * `S3Blobs.layer` of `@parley/blobs-s3`. Processes that share a database need the same place. Default on a SQLite file: the
   * folder `<file>.blobs`. With any other storage it has to be given, unless no channel brings files.
   */
  readonly blobs?: { readonly folder: string } | Layer.Layer<Blobs, unknown> | undefined
  readonly attachments?:
    | {
        /** The largest file that is kept, in bytes. Default: 26,214,400 (25 MiB). */
        readonly maxBytes?: number | undefined
        /** The media types that are kept, such as `image/*` or `application/pdf`. Default: all. */
        readonly types?: ReadonlyArray<string> | undefined
      }
    | undefined
  /**
   * Keys of before, or that other processes are about to seal with: what was sealed under them is opened, and nothing is sealed
   * under them. Default: none.
   */
  readonly previousSecretKeys?: ReadonlyArray<string> | undefined
  /** The bearer token of `/admin/v1`. Without one, administration is there in process alone, by `parley.admin`. */
  readonly adminToken?: string | undefined
  /** Prefix of keys and name in `User-Agent`. Default: `parley`. */
  readonly serviceName?: string | undefined
  /**
   * The path in front of `/api/v1`, such as `/messaging`, where the framework leaves it in the URL, as Fastify, Hono and Next
   * do. Express takes it off itself. Default: none.
   */
  readonly mountPath?: string | undefined
  /** How others reach the mount path, such as `https://acme.example/messaging`, for links. Default: as each request says. */
  readonly publicUrl?: string | undefined
  /** Addresses or CIDRs of proxies whose `X-Forwarded-For` is believed. Default: none. */
  readonly trustedProxies?: ReadonlyArray<string> | undefined
  /** How long `POST /messages` waits for the provider's verdict, in ms; 0: never. Default: 2,000. */
  readonly verdictWaitMs?: number | undefined
  /** The most runs of workflows that begin for one contact within an hour; further ones are stopped. Default: 100. */
  readonly runsPerContactAndHour?: number | undefined
  /**
   * Your own plans and balances: asked last before something is written, such as by `messages.send`. Answers nothing to
   * allow it, or why not. It must not charge, because it may be asked twice about one write: charge by webhooks. What it
   * throws is answered with 500, and nothing is written. Default: all is allowed.
   */
  readonly entitlements?:
    | ((
        application: Application,
        operation: EntitledOperation
      ) => EntitlementRefusal | undefined | Promise<EntitlementRefusal | undefined>)
    | undefined
  /** Told what a workspace's administrators should know. Default: a warning in the log. */
  readonly notifier?: ((notice: Notice) => void | Promise<void>) | undefined
  /**
   * Your own model, which answers customers for bots without steps. It has 30 s, may be asked again about one message, and must
   * not send anything itself. What it throws is in the log; it is asked again for ten minutes, then a person takes over.
   * Default: such bots hand off at once.
   */
  readonly responder?: ((turn: BotTurn) => BotAnswer | Promise<BotAnswer>) | undefined
  readonly webhooks?:
    | {
        /** CIDRs that webhooks may reach although they are private. Default: none. */
        readonly allow?: ReadonlyArray<string> | undefined
        /** Whether http URLs may be registered. Default: false. */
        readonly allowHttp?: boolean | undefined
      }
    | undefined
  /**
   * Whether this process works off the queue: retries, receipts, webhooks, housekeeping. Without it, it hands over what it
   * accepts itself, and another process on the same Postgres has to do the rest. Default: true.
   */
  readonly worker?: boolean | undefined
  /**
   * Whether requests of applications are logged for their administrators, who list them at `/admin/v1/request-log`. Default:
   * true.
   */
  readonly requestLog?: boolean | undefined
  /** How long history is kept, in days; deliveries no longer than events, attempts no longer than deliveries. Default: 90, 90, 30, 30. */
  readonly retentionDays?: RetentionDays | undefined
  /** What is said less than this is not said. Default: `info`. */
  readonly logLevel?: "trace" | "debug" | "info" | "warn" | "error" | "none" | undefined
  /** Gets what the log says. Default: a JSON object a line, on the console. */
  readonly logger?: ((entry: LogEntry) => void) | undefined
}
