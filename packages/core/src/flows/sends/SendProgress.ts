import { Schema } from "effect"
import { given } from "../../kernel/input/Patch.js"
import type { Job } from "../../model/Job.js"
import { traceOf } from "../../queue/jobTrace.js"

const instantOrNull = Schema.NullOr(Schema.Number)

/** The payload of a job of the lane `sends`. A new job has `to` only. */
const Payload = Schema.Struct({
  /** Normalised. */
  to: Schema.String,
  /** Number of the last attempt whose outcome is known. */
  settled: given(Schema.Number),
  /** Number of provider calls with a known outcome. */
  tries: given(Schema.Number),
  /** The outcome is unknown; the job waits for receipts. */
  held: given(Schema.Boolean),
  /** The outcome of an earlier try is unknown: the customer may have the message. */
  mayHaveArrived: given(Schema.Boolean),
  /** How often the provider returned a new handle. */
  moves: given(Schema.Number),
  /** When the current series of transient failures began; null: the last try did not fail. */
  failingSince: given(instantOrNull),
  /** Why the last try failed, or why its outcome is unknown; null: neither. */
  reason: given(Schema.NullOr(Schema.String)),
  /** Its slot in the queue of the connection and of the recipient, in the connection's virtual time; null: none yet. */
  slot: given(instantOrNull),
  recipientSlot: given(instantOrNull)
})

/** The state of a send between claims. */
export type SendProgress = Required<typeof Payload.Type>

/** The next try reserves new slots. */
export const noSlots: Pick<SendProgress, "slot" | "recipientSlot"> = { slot: null, recipientSlot: null }

const beginning: Omit<SendProgress, "to"> = {
  settled: 0,
  tries: 0,
  held: false,
  mayHaveArrived: false,
  moves: 0,
  failingSince: null,
  reason: null,
  ...noSlots
}

const decode = Schema.decodeUnknownSync(Payload)

/** Whether {@link progressOf} can decode a payload. */
export const isSendPayload = Schema.is(Payload)

/** Decodes the payload of a sends job. Dies on the payload of another lane. */
export const progressOf = ({ payload }: Pick<Job, "payload">): SendProgress => ({ ...beginning, ...decode(payload) })

/** Whether the customer may have the message: the outcome of a try is unknown. */
export const mayHaveArrived = (job: Pick<Job, "attempts" | "payload">): boolean => {
  const { held, mayHaveArrived, settled } = progressOf(job)
  return held || mayHaveArrived || job.attempts > settled
}

/** Payload after an attempt with a known outcome; `next` overrides fields. */
export const settledProgress = (
  job: Job,
  next: Partial<Omit<SendProgress, "settled">>
): { readonly [key: string]: unknown } => ({
  ...progressOf(job),
  ...traceOf(job),
  ...next,
  // Last, because `next` may be the whole progress at the start of the attempt, with the number of an earlier one.
  settled: job.attempts
})
