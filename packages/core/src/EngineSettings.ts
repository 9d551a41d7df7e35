import { Context, Layer } from "effect"

/** What a host decides about the engine as a whole. */
export interface EngineSettings {
  /** The prefix of credentials and the name in `User-Agent` of webhooks (decisions.md §1). */
  readonly serviceName: string
  /** How long `POST /messages` waits for the provider's verdict, in ms; 0: never. A connection may have its own. */
  readonly verdictWait: number
}
export const EngineSettings = Context.GenericTag<EngineSettings>("@parley/core/EngineSettings")

export const defaultSettings: EngineSettings = { serviceName: "parley", verdictWait: 2_000 }

/** The defaults, with what is given instead. */
export const layer = (settings: Partial<EngineSettings> = {}): Layer.Layer<EngineSettings> =>
  Layer.succeed(EngineSettings, { ...defaultSettings, ...settings })
