import { Context, DefaultServices, Effect, Tracer } from "effect"
import type { Job } from "../model/Job.js"
import { type Changes, row } from "../ports/Changes.js"

// A job's payload has the trace of the request that inserted it, so that its work joins that trace in any process
// (docs/reference/queue.md#traces). The format is `traceparent` of W3C Trace Context, version 00.

/** The field of a payload with the trace, for a payload that replaces it. */
export const traceOf = ({ payload }: Pick<Job, "payload">): { readonly traceparent?: string } =>
  typeof payload?.traceparent === "string" ? { traceparent: payload.traceparent } : {}

/** The header `traceparent` of a span; null for the spans of a disabled tracer, whose ids are not hexadecimal. */
export const traceparentOf = ({ sampled, spanId, traceId }: Tracer.AnySpan): string | null => {
  const traceparent = `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`
  return pattern.test(traceparent) ? traceparent : null
}

/** The job in the trace of this span. Housekeeping repeats itself, so that its trace would never end. */
export const joinTrace = (job: Job, span: Tracer.AnySpan | undefined): Job => {
  if (span === undefined || job.lane === "housekeeping" || job.payload?.traceparent !== undefined) return job
  const traceparent = traceparentOf(span)
  return traceparent === null ? job : { ...job, payload: { ...job.payload, traceparent } }
}

/** The changes, whose new jobs join the trace of this span. */
export const joinTraces = (changes: Changes, span: Tracer.AnySpan | undefined): Changes =>
  span === undefined || !changes.inserts.some(({ table }) => table === "jobs")
    ? changes
    : {
        ...changes,
        inserts: changes.inserts.map((one) => (one.table === "jobs" ? row("jobs", joinTrace(one.row, span)) : one))
      }

/**
 * Runs the work of jobs in spans of their traces. Without a configured tracer, the work is left as it is, so that spans
 * cost nothing.
 */
export const traceJobs: Effect.Effect<<A, E>(job: Job, work: Effect.Effect<A, E>) => Effect.Effect<A, E>> = Effect.map(
  Effect.tracer,
  (tracer) => {
    if (tracer === Context.get(DefaultServices.liveServices, Tracer.Tracer)) return (_job, work) => work
    return (job, work) =>
      Effect.withSpan(work, `job ${job.lane}`, {
        kind: "consumer",
        ...parentOf(job),
        attributes: {
          job_id: job.id,
          lane: job.lane,
          reference: job.reference,
          attempt: job.attempts,
          workspace_id: job.workspaceId
        },
        captureStackTrace: false
      })
  }
)

const pattern = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/

const parentOf = (job: Job): { readonly parent: Tracer.AnySpan } | { readonly root: true } => {
  const [, traceId, spanId, flags] = pattern.exec(traceOf(job).traceparent ?? "") ?? []
  return traceId === undefined || spanId === undefined
    ? { root: true }
    : { parent: Tracer.externalSpan({ traceId, spanId, sampled: (Number.parseInt(`${flags}`, 16) & 1) === 1 }) }
}
