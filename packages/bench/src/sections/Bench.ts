import type { BenchProcess } from "../measuring/BenchProcess.js"
import type { Store, Stores } from "../world/Store.js"
import type { Host } from "../world/standalone.js"

/** The environment of a section. */
export interface Bench {
  readonly stores: Stores
  readonly seconds: number
  readonly rounds: number
  /** Duration of inbound load in seconds. */
  readonly inbound: number
  /** Number of messages before the last but one memory measurement. */
  readonly messages: number
  /** Number of listed contacts. */
  readonly contacts: number
  /** Number of listed conversations, and of messages of one conversation. */
  readonly rows: number
  /** Number of waiting workflow runs beside the due ones. */
  readonly waiting: number
  /** Number of seconds for which a snapshot is held on Postgres. */
  readonly held: number
  /** Number of open web chat streams. */
  readonly streams: number
  /** Number of webhook endpoints, and of those that hang. */
  readonly endpoints: number
  readonly hanging: number
  /** Webhooks per second beside endpoints that hang. */
  readonly webhooks: number
  /** Whether backlogs of webhooks are measured too. */
  readonly backlog: boolean
  /** Starts a program; it is stopped at the end of the run at the latest. */
  readonly start: <Order, Answer>(program: string, setting: unknown) => Promise<BenchProcess<Order, Answer>>
  /** Starts a whole host on a seeded database, with further settings; stopped likewise. */
  readonly startHost: (store: Store, settings?: Readonly<Record<string, string>>) => Promise<Host>
  /** A URL that answers webhooks with a 2xx status. */
  readonly webhookUrl: string
  readonly progress: (text: string) => void
}
