import type { BenchProcess } from "../measuring/BenchProcess.js"
import type { Store, Stores } from "../world/Store.js"
import type { Host } from "../world/standalone.js"

/** What every section of the benchmark has to work with. */
export interface Bench {
  readonly stores: Stores
  readonly seconds: number
  readonly rounds: number
  /** How many seconds webhooks come in for. */
  readonly inbound: number
  /** How many messages the host is given before its memory is looked at for the last time but one. */
  readonly messages: number
  /** How many contacts are listed. */
  readonly contacts: number
  /** How many conversations are listed, and how many messages of one. */
  readonly rows: number
  /** How many runs of workflows wait beside those that are woken. */
  readonly waiting: number
  /** Starts a program; it is stopped at the end, if nobody stopped it before. */
  readonly start: <Order, Answer>(program: string, setting: unknown) => Promise<BenchProcess<Order, Answer>>
  /** Starts a whole host on a database that was seeded; stopped likewise. */
  readonly startHost: (store: Store) => Promise<Host>
  /** A URL that takes webhooks and says yes. */
  readonly webhookUrl: string
  readonly progress: (text: string) => void
}
