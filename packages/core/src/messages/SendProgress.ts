import type { Instant } from "../Instant.js"
import type { Job } from "../worker/Job.js"

/** How far a message got on its way to the provider: the payload of a job of the lane `sends`. */
export interface SendProgress {
  /** Normalised. */
  readonly to: string
  /** How many claims of the job came to a known end. */
  readonly settled: number
  /** How often it was handed to the provider, as far as is known. */
  readonly tries: number
  /** What became of it is unknown, and is waited for. */
  readonly held: boolean
  /** How often the provider named another handle. */
  readonly moves: number
  /** Since when every try failed for a while; null: the last one did not. */
  readonly failingSince: Instant | null
  /** Its place in the connection's line and in the recipient's, by the connection's own time; null: none yet. */
  readonly slot: Instant | null
  readonly recipientSlot: Instant | null
}

const beginning: SendProgress = {
  to: "",
  settled: 0,
  tries: 0,
  held: false,
  moves: 0,
  failingSince: null,
  slot: null,
  recipientSlot: null
}

/** What the job knows of its message's way; one that was just made knows the handle alone. */
export const progressOf = ({ payload }: Pick<Job, "payload">): SendProgress => ({
  ...beginning,
  ...(payload as Partial<SendProgress> | null)
})

/** After a claim that came to a known end: `slot` and the rest are what is known for the next one. */
export const settledProgress = (job: Job, next: Partial<SendProgress>): { readonly [key: string]: unknown } => ({
  ...progressOf(job),
  settled: job.attempts,
  ...next
})
