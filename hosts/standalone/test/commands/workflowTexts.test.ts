import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { dryRunText } from "../../src/commands/dryRunText.js"
import { runTrace } from "../../src/commands/runTrace.js"
import { workflowText } from "../../src/commands/workflowText.js"

const began = Date.parse("2026-05-04T08:30:00.000Z")
const step = {
  position: 0,
  type: "add_tag",
  name: null,
  outcome: "done",
  detail: "added the tag vip",
  startedAt: began,
  endedAt: began + 41,
  attempts: 1
} as const
const run = {
  id: "run-1",
  workspaceId: "w",
  workflowId: "wf-1",
  applicationId: "a",
  contactId: "c-1",
  event: { id: "e-1", name: "order.shipped", data: {} },
  status: "waiting",
  reason: null,
  createdAt: began,
  endedAt: null,
  version: 3,
  steps: [step],
  pending: null,
  job: null
} as const

describe("the trace of a run", () => {
  it("has a line for each action, and for the pending one", () => {
    const call = { ...step, type: "call_webhook", name: "told", detail: "answered 500", outcome: "failed" } as const
    const steps = [step, { ...call, startedAt: began, endedAt: began + 4_500_000, attempts: 6 }]
    const pending = {
      position: 2,
      type: "wait",
      name: null,
      startedAt: began,
      attempts: 1,
      messageId: null,
      until: began,
      error: null,
      explanation: "waits until noon"
    }
    expect(runTrace({ ...run, steps, pending }, "Tell", null).split("\n")).toEqual([
      "run       run-1",
      "workflow  Tell, version 3 (wf-1)",
      "event     order.shipped (e-1)",
      "contact   c-1",
      "began     2026-05-04 08:30:00Z",
      "status    waiting",
      "",
      "2026-05-04 08:30:00Z  add_tag              done    41 ms  added the tag vip",
      '2026-05-04 08:30:00Z  call_webhook "told"  failed  1 h    answered 500 (tried 6 times)',
      "2026-05-04 08:30:00Z  wait                 now            waits until noon"
    ])
  })
  it("shows a job that is parked or failing with its last error, and what to do", () => {
    const failing = { id: "run-1", nextAt: null, leaseOwner: null, error: "broken" }
    const shown = (state: "parked" | "retrying" | "waiting", explanation: string) =>
      runTrace({ ...run, steps: [], job: { ...failing, state, explanation } }, "Tell", null)
    expect(shown("parked", "Its job failed 20 times and is parked: broken\u001b[2J.")).toContain(
      "job       parked: Its job failed 20 times and is parked: broken\\u001b[2J.\n          parley job retry run-1"
    )
    expect(shown("retrying", "Its job failed once.")).toContain("job       retrying: Its job failed once.")
    expect(shown("waiting", "It goes on later.")).not.toContain("job ")
  })
  it("shows the time and reason of its end, with control characters as escapes", () => {
    const reported = runTrace(
      { ...run, status: "failed", reason: "no \u001b[2Jhandle\nthere", endedAt: began + 1_000, steps: [] },
      "Tell",
      null
    )
    expect(reported).toContain("status    failed at 2026-05-04 08:30:01Z\nbecause   no \\u001b[2Jhandle there\n")
    expect(reported).toContain("No action was begun.")
  })
  it("fits the terminal, with whole reasons", () => {
    const reason = "the provider answered 500 and no other connection of the contact can send now ".repeat(4).trim()
    const id = "0190a1b2-0000-7000-8000-000000000001"
    const steps = [{ ...step, name: "told of shipping", outcome: "failed", detail: reason } as const]
    const text = runTrace({ ...run, id, reason, steps }, "Tell of shipping", 80)
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([])
    expect(text.match(/answered/g)).toHaveLength(8)
  })
})

describe("a dry run as text", () => {
  it("shows the message below each action", () => {
    const steps = [
      { ...step, type: "send_email", name: "first", says: "Hi\n\nYour order" },
      { ...step, says: null }
    ]
    expect(dryRunText({ status: "completed", reason: null, steps })).toBe(
      [
        'send_email "first"  done  added the tag vip',
        "    Hi",
        "",
        "    Your order",
        "add_tag             done  added the tag vip",
        "The run would be completed."
      ].join("\n")
    )
  })
  it("shows why no run would start", () => {
    expect(dryRunText({ status: "skipped", reason: "it is night", steps: [] })).toBe(
      "The run would be skipped: it is night."
    )
  })
})

describe("a workflow as text", () => {
  const definition = {
    name: "Tell: of shipping",
    trigger: { type: "external_event", event: "order.shipped" },
    conditions: { not: { tag: { has: "yes" } } },
    actions: [{ type: "update_contact", contact: { company: null, city: "no" }, on_error: "continue" }]
  }
  const workflow = {
    id: "wf-1",
    workspace_id: "w-1",
    ...definition,
    actions: [
      { ...definition.actions[0], name: null, if: null },
      { type: "add_tag", tag: "a", on_error: "stop" }
    ],
    status: "published",
    published_version: 2,
    has_unpublished_changes: true
  }
  it("is an equivalent file without default values", () => {
    const text = workflowText(workflow)
    expect(text).toContain("# wf-1, of workspace w-1\n# published as version 2, and changed since\n")
    expect(parse(text)).toEqual({ ...definition, actions: [...definition.actions, { type: "add_tag", tag: "a" }] })
  })
  it("shows that no event starts it", () => {
    expect(workflowText({ ...workflow, status: "draft", published_version: null })).toContain(
      "# draft: no event starts it"
    )
  })
})
