import { Context, Layer } from "effect"
import { hour } from "./Instant.js"
import type { Lane } from "./worker/Job.js"
import { defaultRetention, type Retention } from "./worker/Retention.js"

/** How many jobs of a lane a process works on at once, and how many of one subject among them. */
export interface LaneLimits {
  readonly concurrency: number
  readonly perSubject: number
}

/** Which files of customers are kept, and how they are shown. */
export interface AttachmentSettings {
  /** The largest file that is kept, in bytes. */
  readonly maxBytes: number
  /** The media types that are kept, in lower case; `image/*` means every image. Null: all. */
  readonly types: ReadonlyArray<string> | null
  /** How long the URL of a file serves it, in ms. */
  readonly urlLifetime: number
}

/** What a host decides about the engine as a whole. */
export interface EngineSettings {
  /** The prefix of credentials and the name in `User-Agent` of webhooks (decisions.md §1). */
  readonly serviceName: string
  /** How long `POST /messages` waits for the provider's verdict, in ms; 0: never. A connection may have its own. */
  readonly verdictWait: number
  /** Whether requests of applications are logged, for their administrators (decisions.md §14). */
  readonly requestLog: boolean
  readonly lanes: { readonly [L in Lane]: LaneLimits }
  readonly retention: Retention
  readonly attachments: AttachmentSettings
  /** The most runs of workflows about one contact that begin within an hour: what goes round in circles ends there. */
  readonly runsPerContactAndHour: number
  /** How others reach this, without a slash at its end, for the URLs in webhooks; null where that is not known. */
  readonly publicUrl: string | null
}
export const EngineSettings = Context.GenericTag<EngineSettings>("@parley/core/EngineSettings")

export const defaultSettings: EngineSettings = {
  serviceName: "parley",
  verdictWait: 2_000,
  requestLog: true,
  lanes: {
    sends: { concurrency: 256, perSubject: 128 },
    receipts: { concurrency: 128, perSubject: 128 },
    // Wide, since an endpoint that hangs keeps its share for the whole timeout (until its failures disable it).
    deliveries: { concurrency: 1_024, perSubject: 32 },
    retries: { concurrency: 256, perSubject: 4 },
    fetches: { concurrency: 32, perSubject: 8 },
    runs: { concurrency: 256, perSubject: 128 },
    // As wide as deliveries, and apart from the runs, which no receiver that hangs may hold up.
    calls: { concurrency: 1_024, perSubject: 32 },
    housekeeping: { concurrency: 4, perSubject: 1 }
  },
  retention: defaultRetention,
  attachments: { maxBytes: 25 * 1_024 * 1_024, types: null, urlLifetime: hour },
  runsPerContactAndHour: 100,
  publicUrl: null
}

/** The defaults, with what is given instead. */
export const layer = (settings: Partial<EngineSettings> = {}): Layer.Layer<EngineSettings> =>
  Layer.succeed(EngineSettings, { ...defaultSettings, ...settings })
