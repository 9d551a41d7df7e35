import { describe, expect, it } from "@effect/vitest"
import { Effect, Tracer } from "effect"
import { settledProgress } from "../../src/flows/sends/SendProgress.js"
import { type Job, newJob } from "../../src/model/Job.js"
import { joinTrace, traceJobs, traceOf, traceparentOf } from "../../src/queue/jobTrace.js"

const [traceId, spanId] = ["0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"]
const span = Tracer.externalSpan({ traceId, spanId, sampled: true })
const job = newJob({
  id: "job",
  workspaceId: "workspace",
  lane: "sends",
  subject: "connection",
  reference: "message",
  payload: { to: "+4915112345678" },
  runAt: 0,
  createdAt: 0
})
const traceparent = `00-${traceId}-${spanId}-01`

describe("the trace of a job", () => {
  it("is that of the span that inserts it", () => {
    expect(joinTrace(job, span).payload).toEqual({ ...job.payload, traceparent })
    expect(joinTrace({ ...job, payload: null }, span).payload).toEqual({ traceparent })
    expect(joinTrace(job, undefined)).toBe(job)
  })

  it("stays that of its first span", () => {
    const other = Tracer.externalSpan({ traceId: "f".repeat(32), spanId: "e".repeat(16) })
    expect(joinTrace(joinTrace(job, span), other).payload).toMatchObject({ traceparent })
  })

  it("stays over the tries of a send", () => {
    expect(settledProgress(joinTrace(job, span), { tries: 1 })).toMatchObject({ tries: 1, traceparent })
    expect(settledProgress(job, { tries: 1 })).not.toHaveProperty("traceparent")
  })

  it("is none for housekeeping, which repeats itself", () => {
    expect(joinTrace({ ...job, lane: "housekeeping" }, span).payload).toEqual(job.payload)
  })

  it.effect("is none for spans of a disabled tracer", () =>
    Effect.gen(function* () {
      const disabled = yield* Effect.currentSpan
      expect(traceparentOf(disabled)).toBeNull()
      expect(joinTrace(job, disabled)).toBe(job)
    }).pipe(Effect.withSpan("any"), Effect.withTracerEnabled(false))
  )

  it.effect.each([
    ["is the parent of its work", { traceparent }, { traceId, spanId, sampled: true }],
    ["may be unsampled", { traceparent: `00-${traceId}-${spanId}-00` }, { traceId, spanId, sampled: false }],
    ["is a new one without a stored trace", {}, null],
    ["is a new one if the stored trace cannot be read", { traceparent: "00-xyz-1-01" }, null]
  ])("%s", ([, payload, expected]) =>
    Effect.gen(function* () {
      const opened: Array<Tracer.Span> = []
      const native = yield* Effect.tracer
      const tracer = Tracer.make({
        span: (...given) => {
          const made = native.span(...given)
          opened.push(made)
          return made
        },
        context: (execution, fiber) => native.context(execution, fiber)
      })
      const traced = yield* Effect.withTracer(traceJobs, tracer)
      yield* Effect.withTracer(traced({ ...job, payload } as Job, Effect.void), tracer)
      expect(opened.map(({ name }) => name)).toEqual(["job sends"])
      const parent = opened[0]?.parent
      if (expected === null) expect(parent).toMatchObject({ _tag: "None" })
      else expect(parent).toMatchObject({ _tag: "Some", value: expected })
    })
  )

  it("is read from payloads of text only", () => {
    expect(traceOf({ payload: { traceparent: 1 } })).toEqual({})
    expect(traceOf({ payload: null })).toEqual({})
  })
})
