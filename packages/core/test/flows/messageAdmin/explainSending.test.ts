import { aConnection, aJob, aMessage, someConnectionId, someTime } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { explainSending } from "../../../src/flows/messageAdmin/explainSending.js"
import type { Connection } from "../../../src/model/Connection.js"
import { hour } from "../../../src/model/Instant.js"
import { type Job, neverDue } from "../../../src/model/Job.js"
import type { Message } from "../../../src/model/Message.js"

const id = "01900000-0000-7000-8000-000000000001"
const now = someTime
const at = (ms: number) => new Date(ms).toISOString()
const message = aMessage({ id, direction: "outbound", status: "queued", connectionId: someConnectionId })
const connection = aConnection({ id: someConnectionId, status: "active" })
const job = aJob({ id, lane: "sends", runAt: now + 5_000, attempts: 3, payload: { to: "ada@example.org" } })

const explain = (
  jobValues: Partial<Job> | null = {},
  connectionValues: Partial<Connection> | null = {},
  messageValues: Partial<Message> = {}
) =>
  explainSending(
    {
      message: { ...message, ...messageValues },
      job: jobValues === null ? undefined : { ...job, ...jobValues },
      connection: connectionValues === null ? undefined : { ...connection, ...connectionValues }
    },
    now
  )

describe("a queued message", () => {
  it("that a process hands over names it", () => {
    const sending = explain({ leaseUntil: now + 1, leaseOwner: "host-1/4711/x" })
    expect(sending).toMatchObject({ state: "sending", leaseOwner: "host-1/4711/x", nextAt: now + 1, jobId: id })
    expect(sending.explanation).toContain("Process host-1/4711/x hands it over (attempt 1)")
  })
  it("whose lease ended is due", () => {
    expect(explain({ runAt: now - 9, leaseUntil: now, leaseOwner: "gone" })).toMatchObject({
      state: "due",
      leaseOwner: null,
      explanation: `It is due since ${at(now)}, and no worker has claimed it.`
    })
  })
  it("waits for the rate, a throttle, or the next attempt after failures", () => {
    expect(explain()).toMatchObject({ state: "rate_limited", nextAt: now + 5_000 })
    expect(explain({}, { heldUntil: now + 4_000 })).toMatchObject({ state: "throttled" })
    const failing = explain({ payload: { to: "x", failingSince: now - 1_000 } })
    expect(failing.state).toBe("retrying")
    expect(failing.explanation).toContain(`It fails at ${at(now - 1_000 + 86_400_000)}`)
    const reason = "status 503"
    expect(explain({ payload: { to: "x", failingSince: now - 1_000, reason } }).explanation).toContain(
      `Attempts have been failing since ${at(now - 1_000)} (status 503). The next attempt`
    )
    const failure = { lane: "sends", count: 2, since: now, error: "TypeError: x" } as const
    expect(explain({ failure })).toMatchObject({
      state: "retrying",
      explanation: expect.stringContaining("2 times, the last time with: TypeError: x.")
    })
  })
  it("waits for the rate only if it has a slot, or was throttled for its recipient", () => {
    for (const given of [{ slot: 5 }, { recipientSlot: 5 }, { tries: 1 }]) {
      expect(explain({ payload: { to: "x", ...given } }).explanation).toContain("waits for the rate of its connection")
    }
    const { explanation } = explain({ payload: { to: "x" } })
    expect(explanation).toContain("It waits, but not for a rate: ")
    expect(explanation).toContain(`The next attempt is at ${at(now + 5_000)}.`)
  })
  it("with files waits until they are copied", () => {
    const fetching = { lane: "downloads", payload: { task: "fetch_message_files", to: "x" }, attempts: 0 } as const
    expect(explain(fetching)).toMatchObject({ state: "fetching_files", nextAt: now + 5_000, jobId: id })
    expect(explain({ ...fetching, leaseUntil: now + 9_000 }).nextAt).toBe(now + 9_000)
  })
  it("with files that cannot be copied says why, and until when they are tried", () => {
    const payload = { task: "fetch_message_files", failingSince: now - hour, reason: "its URL answered 500" }
    expect(explain({ lane: "downloads", attempts: 7, payload }).explanation).toBe(
      `Its files are copied from the URLs that its sender gave (attempt 7), then it is handed over. That has been failing since ${at(now - hour)}, the last time with: its URL answered 500. The message fails after ${at(now + 23 * hour)} if no attempt succeeds.`
    )
  })
  it("of unknown outcome waits for a receipt", () => {
    expect(explain({ payload: { to: "x", held: true } })).toMatchObject({
      state: "outcome_unknown",
      nextAt: now + 5_000
    })
    const { explanation } = explain({ payload: { to: "x", tries: 1, held: true, reason: "no answer in time" } })
    expect(explanation).toContain("The outcome of attempt 1 is unknown (no answer in time): it may have reached")
  })
  it("waits for its connection", () => {
    expect(explain({}, { status: "paused" }).explanation).toBe(
      "Its connection is paused. It is sent once the connection is active."
    )
    expect(explain({ runAt: now }, null).state).toBe("connection_inactive")
  })
  it("that is parked has the last error, and the time at which it fails", () => {
    const failure = { lane: "sends", count: 20, since: now, error: "TypeError: x" } as const
    expect(explain({ lane: "parked", failure })).toMatchObject({
      state: "parked",
      nextAt: now + 5_000,
      explanation: `Its job failed 20 times and is parked: TypeError: x. It fails at ${at(now + 5_000)} unless it is retried.`
    })
    expect(explain({ lane: "parked", failure, runAt: neverDue })).toMatchObject({ state: "parked", nextAt: null })
  })
  it("without a job says so", () => {
    expect(explain(null)).toMatchObject({ state: "without_job", jobId: null, nextAt: null })
    const atVendor = explain(null, {}, { providerMessageId: "SM1" })
    expect(atVendor).toMatchObject({ state: "queued_at_vendor", jobId: null, nextAt: null })
    expect(atVendor.explanation).toContain("Without any, it becomes sent 24 hours after")
  })
})

describe("a message that is not queued", () => {
  it("came from the customer, was handed over, or failed", () => {
    expect(explain(null, {}, { direction: "inbound", status: "delivered" })).toMatchObject({ state: "inbound" })
    expect(explain(null, {}, { status: "delivered", sentAt: now })).toMatchObject({
      state: "handed_over",
      jobId: null,
      explanation: `The provider accepted it at ${at(now)}. Its status is delivered.`
    })
    const error = {
      code: "provider_error",
      message: "The provider rejected the message.",
      provider: { code: "131026", message: "unknown" }
    } as const
    expect(explain(null, {}, { status: "failed", error })).toMatchObject({
      state: "failed",
      explanation:
        "It failed with provider_error: The provider rejected the message. The provider said: 131026 unknown."
    })
    const provider = { code: "131026", message: "No such number." }
    expect(explain(null, {}, { status: "failed", error: { ...error, provider } }).explanation).toMatch(
      /said: 131026 No such number\.$/
    )
  })
})
