import { Context, Layer } from "effect"
import { day, hour } from "../model/Instant.js"
import type { Lane } from "../model/Job.js"
import { defaultRetention, type Retention } from "../model/Retention.js"

/** Limits of a lane (docs/reference/queue.md#lanes). */
export interface LaneLimits {
  /** Maximum number of running jobs in one process. */
  readonly concurrency: number
  /** Maximum number of running jobs of one subject in one process. */
  readonly perSubject: number
  /**
   * Maximum number of running jobs of one workspace in one process; at least a quarter of `concurrency`, the size of a
   * claim (docs/reference/queue.md#workspaces). A claim may exceed it with subjects that the process does not know.
   * Default: no limit.
   */
  readonly perWorkspace?: number
  /**
   * Maximum number of running jobs of slow subjects in one process; at least a quarter of `concurrency`, the size of a
   * claim (docs/reference/queue.md#slow-subjects). Jobs of subjects that are not known to be slow yet may exceed it.
   * Default: no limit.
   */
  readonly maxSlow?: number
}

/** Limits of customers' files and of their links (docs/reference/messages.md#attachments). */
export interface AttachmentSettings {
  /** Maximum file size in bytes. */
  readonly maxBytes: number
  /** Accepted media types, in lower case; `image/*` matches every image. Null: all. */
  readonly types: ReadonlyArray<string> | null
  /** Lifetime of a file URL, in ms. */
  readonly urlLifetime: number
  /** Time in ms during which an upload may be sent, and after which an unsent one is deleted. */
  readonly uploadLifetime: number
  /** Maximum total size of the unsent uploads of an application, or of a workspace's administrators, in bytes. */
  readonly unsentBytes: number
}

/** Engine settings of a host. */
export interface EngineSettings {
  /** Prefix of credentials, and name in the `User-Agent` of webhooks (docs/reference/requests.md#service-name). */
  readonly serviceName: string
  /** Name of this process in leases, such as `host-1/4711`; null if it has none. */
  readonly processName: string | null
  /**
   * Verdict wait of `POST /messages` in ms; 0: no wait. A connection's `verdict_wait_ms` overrides it
   * (docs/reference/messages.md#verdict-wait).
   */
  readonly verdictWait: number
  /** Whether API requests are written to the request log (docs/reference/administration.md#request-log). */
  readonly requestLog: boolean
  readonly lanes: { readonly [L in Lane]: LaneLimits }
  readonly retention: Retention
  readonly attachments: AttachmentSettings
  /**
   * Maximum number of workflow runs that start for one contact within an hour. Ends loops of workflows that trigger
   * each other.
   */
  readonly runsPerContactAndHour: number
  /**
   * Number of applications with a label value of their own in metrics by application; the others count as `other`. 0:
   * no metrics by application.
   */
  readonly metricsApplications: number
  /** Public base URL without a trailing slash, for the URLs in webhooks; null if unknown. */
  readonly publicUrl: string | null
}
export const EngineSettings = Context.GenericTag<EngineSettings>("@parley/core/EngineSettings")

export const defaultSettings: EngineSettings = {
  serviceName: "parley",
  processName: null,
  verdictWait: 2_000,
  requestLog: true,
  lanes: {
    sends: { concurrency: 256, perSubject: 128, perWorkspace: 176, maxSlow: 128 },
    receipts: { concurrency: 128, perSubject: 88, perWorkspace: 88 },
    // Wide, because an endpoint that hangs occupies its share for the whole timeout, until its failures disable it.
    deliveries: { concurrency: 1_024, perSubject: 64, perWorkspace: 704, maxSlow: 512 },
    retries: { concurrency: 256, perSubject: 4, perWorkspace: 176, maxSlow: 128 },
    // The handlers share the event loop of this process.
    subscriptions: { concurrency: 1_024, perSubject: 256 },
    // Half for the connections whose vendors or files are slow, so that they delay no others.
    fetches: { concurrency: 32, perSubject: 8, perWorkspace: 22, maxSlow: 16 },
    // A lane of its own, so that URLs that hang delay no mailboxes and customers' files.
    downloads: { concurrency: 32, perSubject: 8, perWorkspace: 22, maxSlow: 16 },
    runs: { concurrency: 256, perSubject: 128, perWorkspace: 176 },
    // As wide as deliveries. A lane of its own, so that a receiver that hangs delays no runs.
    calls: { concurrency: 1_024, perSubject: 64, perWorkspace: 704, maxSlow: 512 },
    enqueued: { concurrency: 128, perSubject: 64, perWorkspace: 88 },
    housekeeping: { concurrency: 4, perSubject: 1, perWorkspace: 3 },
    parked: { concurrency: 4, perSubject: 4 }
  },
  retention: defaultRetention,
  attachments: {
    maxBytes: 25 * 1_024 * 1_024,
    types: null,
    urlLifetime: hour,
    uploadLifetime: day,
    unsentBytes: 1_024 ** 3
  },
  runsPerContactAndHour: 100,
  metricsApplications: 0,
  publicUrl: null
}

/** The default settings, overridden by the given ones. */
export const layer = (settings: Partial<EngineSettings> = {}): Layer.Layer<EngineSettings> =>
  Layer.succeed(EngineSettings, { ...defaultSettings, ...settings })
