import { Context, Layer } from "effect"
import type { Lane } from "./worker/Job.js"
import { defaultRetention, type Retention } from "./worker/Retention.js"

/** How many jobs of a lane a process works on at once, and how many of one subject among them. */
export interface LaneLimits {
  readonly concurrency: number
  readonly perSubject: number
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
    housekeeping: { concurrency: 4, perSubject: 1 }
  },
  retention: defaultRetention
}

/** The defaults, with what is given instead. */
export const layer = (settings: Partial<EngineSettings> = {}): Layer.Layer<EngineSettings> =>
  Layer.succeed(EngineSettings, { ...defaultSettings, ...settings })
