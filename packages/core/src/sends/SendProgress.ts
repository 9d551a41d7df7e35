import { Schema } from "effect"
import { given } from "../input/Patch.js"
import type { Job } from "../worker/Job.js"

const instantOrNull = Schema.NullOr(Schema.Number)

/** What the payload of a job of the lane `sends` tells: of one that was just made, the handle alone. */
const Payload = Schema.Struct({
  /** Normalised. */
  to: Schema.String,
  /** How many claims of the job came to a known end. */
  settled: given(Schema.Number),
  /** How often it was handed to the provider, as far as is known. */
  tries: given(Schema.Number),
  /** What became of it is unknown, and is waited for. */
  held: given(Schema.Boolean),
  /** How often the provider named another handle. */
  moves: given(Schema.Number),
  /** Since when every try failed for a while; null: the last one did not. */
  failingSince: given(instantOrNull),
  /** Its place in the connection's line and in the recipient's, by the connection's own time; null: none yet. */
  slot: given(instantOrNull),
  recipientSlot: given(instantOrNull)
})

/** How far a message got on its way to the provider. */
export type SendProgress = Required<typeof Payload.Type>

/** The next try takes its turn anew. */
export const noSlots: Pick<SendProgress, "slot" | "recipientSlot"> = { slot: null, recipientSlot: null }

const beginning: Omit<SendProgress, "to"> = {
  settled: 0,
  tries: 0,
  held: false,
  moves: 0,
  failingSince: null,
  ...noSlots
}

const decode = Schema.decodeUnknownSync(Payload)

/** What the job knows of its message's way; a defect where it is no send. */
export const progressOf = ({ payload }: Pick<Job, "payload">): SendProgress => ({ ...beginning, ...decode(payload) })

/** After a claim that came to a known end: `slot` and the rest are what is known for the next one. */
export const settledProgress = (job: Job, next: Partial<SendProgress>): { readonly [key: string]: unknown } => ({
  ...progressOf(job),
  settled: job.attempts,
  ...next
})
