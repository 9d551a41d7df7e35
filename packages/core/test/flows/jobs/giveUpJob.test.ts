import {
  aDelivery,
  aJob,
  aMessage,
  anAttachedFile,
  anIdempotencyRecord,
  aRun,
  makeTestIds,
  someTime
} from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { giveUpJob, type ParkedWorld } from "../../../src/flows/jobs/giveUpJob.js"
import { agreed } from "../../outcomes.js"

const id = "01900000-0000-7000-8000-000000000001"
const now = someTime + 5
const failure = { lane: "sends", count: 20, since: someTime, error: "broken" } as const
const job = aJob({ id, lane: "parked", epoch: 4, failure })
const nothing: ParkedWorld = {
  message: undefined,
  delivery: undefined,
  next: undefined,
  run: undefined,
  files: [],
  outcome: undefined,
  subscribers: { endpoints: [], applications: [] }
}
const giveUp = (world: Partial<ParkedWorld>) => {
  const { changes } = agreed(giveUpJob({ ...nothing, ...world }, job, now, makeTestIds()))
  expect(changes?.settle).toEqual({ jobId: id, epoch: 4, again: null })
  return changes?.sets.map(({ table, values }) => ({ table, values }))
}
const message = aMessage({ id, direction: "outbound", status: "queued" })
const delivery = aDelivery({ id, status: "pending" })
const run = aRun({ id, status: "waiting" })
const file = anAttachedFile({ id, messageId: id, status: "waiting" })

describe("a job that is given up", () => {
  it("fails its queued message", () => {
    expect(giveUp({ message })).toMatchObject([
      { table: "messages", values: { status: "failed", error: { code: "provider_error" } } }
    ])
  })
  it("does not say that its message was not handed over if the customer may have it", () => {
    const errorOf = (payload: { readonly [key: string]: unknown }, attempts = 1) => {
      const sent = { ...job, attempts, payload: { to: "+1", settled: 1, reason: "lost", ...payload } }
      const [change] = agreed(giveUpJob({ ...nothing, message }, sent, now, makeTestIds())).changes?.sets ?? []
      return change?.table === "messages" ? change.values.error : null
    }
    const unknown = { code: "provider_error", provider: { code: "outcome_unknown", message: "lost" } }
    expect(errorOf({ mayHaveArrived: true })).toMatchObject(unknown)
    expect(errorOf({ held: true })).toMatchObject(unknown)
    expect(errorOf({}, 2)).toMatchObject(unknown)
    const notHandedOver = "The message could not be handed to its provider."
    for (const payload of [{}, { to: 1, held: true }]) expect(errorOf(payload)?.message).toBe(notHandedOver)
  })
  it("fails its pending delivery", () => {
    expect(giveUp({ delivery })).toEqual([{ table: "deliveries", values: { status: "failed", completedAt: now } }])
  })
  it("fails its run, with the reason", () => {
    const reason = "its job failed 20 times: broken"
    expect(giveUp({ run })).toEqual([{ table: "workflowRuns", values: { status: "failed", reason, endedAt: now } }])
  })
  it("fails its files, whose URLs may contain secrets", () => {
    const values = { status: "failed", reference: null }
    expect(giveUp({ files: [file] })).toEqual([{ table: "attachedFiles", values }])
  })
  it("refuses its enqueued request, with the event", () => {
    const payload = { kind: "send", key: "order-1", body: {} }
    const enqueued = { ...job, payload, failure: { ...failure, lane: "enqueued" as const } }
    const { changes } = agreed(giveUpJob(nothing, enqueued, now, makeTestIds()))
    expect(changes?.claims).toMatchObject([{ table: "idempotency", row: { applicationId: job.subject, status: 422 } }])
    expect(changes?.inserts).toMatchObject([
      { table: "events", row: { type: "enqueued.failed", applicationId: job.subject, subjectId: id } }
    ])
    expect(JSON.parse(String((changes?.inserts[0]?.row as { data?: string } | undefined)?.data))).toMatchObject({
      enqueued: { id, kind: "send", idempotency_key: "order-1", error: { code: "internal_error" } }
    })
  })
  it("refuses an enqueued request of an id in upper case as that of its application", () => {
    const enqueued = { ...job, subject: job.subject.toUpperCase(), failure: { ...failure, lane: "enqueued" as const } }
    const { changes } = agreed(giveUpJob(nothing, enqueued, now, makeTestIds()))
    expect(changes?.claims).toMatchObject([{ table: "idempotency", row: { applicationId: job.subject } }])
    expect(changes?.inserts).toMatchObject([{ table: "events", row: { applicationId: job.subject } }])
  })
  it("only ends an enqueued request of no application", () => {
    const enqueued = { ...job, subject: "shop", failure: { ...failure, lane: "enqueued" as const } }
    const { changes } = agreed(giveUpJob(nothing, enqueued, now, makeTestIds()))
    expect(changes).toMatchObject({ claims: [], inserts: [], settle: { jobId: id, again: null } })
  })
  it("does not refuse an enqueued request that has an outcome", () => {
    const enqueued = { ...job, failure: { ...failure, lane: "enqueued" as const } }
    const { changes } = agreed(giveUpJob({ ...nothing, outcome: anIdempotencyRecord() }, enqueued, now, makeTestIds()))
    expect(changes).toMatchObject({ claims: [], inserts: [], settle: { jobId: id, again: null } })
  })
  it("changes nothing that ended by other means", () => {
    expect(giveUp({ message: { ...message, status: "sent" } })).toEqual([])
    expect(giveUp({ delivery: { ...delivery, status: "delivered" } })).toEqual([])
    expect(giveUp({ run: { ...run, status: "stopped" } })).toEqual([])
    expect(giveUp({ files: [{ ...file, status: "stored" }] })).toEqual([])
    expect(giveUp({})).toEqual([])
  })
})
