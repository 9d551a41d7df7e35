import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Effect, Ref, TestClock } from "effect"
import { hour, minute } from "../../../../src/model/Instant.js"
import { leaseMs } from "../../../../src/queue/HeldLease.js"
import { failingCommits } from "../../../failingCommits.js"
import { newTenant, Receiver, type Tenant } from "../../../harness.js"
import {
  anAction,
  contactNow,
  happens,
  newContact,
  newPipeline,
  newWorkflow,
  onlyRun,
  rowsOf,
  runDesk,
  runDue
} from "../runDesk.js"

const actions = (pipelineId: string, url: string) => [
  anAction({ type: "add_tag", tag: "first" }),
  anAction({ type: "create_task", title: "call", dueInMs: null, agentId: null, teamId: null }),
  anAction({ type: "update_contact", contact: { company: "Acme" } }),
  anAction({ type: "create_lead", pipelineId, stage: "new", title: "lead", value: "5", currency: "EUR" }),
  anAction({ type: "update_lead", pipelineId, stage: "won" }),
  anAction({ type: "wait", forMs: hour }),
  anAction({ type: "notify", message: "half" }),
  anAction({
    type: "send_message",
    channel: "preferred",
    connectionId: null,
    content: { type: "text", body: "hello", subject: null },
    wanted: null
  }),
  anAction({ type: "call_webhook", url, body: null }),
  anAction({ type: "remove_tag", tag: "first" })
]

/** All effects of a run, without ids and times. */
const effects = (tenant: Tenant, contact: Parameters<typeof contactNow>[0]) =>
  Effect.gen(function* () {
    const run = yield* onlyRun(tenant)
    const { company, tags } = yield* contactNow(contact)
    return {
      run: [run.status, run.steps.map(({ outcome, type }) => `${type} ${outcome}`)],
      contact: [company, tags],
      tasks: (yield* rowsOf(tenant, "tasks")).map(({ title }) => title),
      leads: (yield* rowsOf(tenant, "leads")).map(({ stage, title, value }) => [stage, title, value]),
      notifications: (yield* rowsOf(tenant, "notifications")).map(({ message }) => message),
      messages: (yield* rowsOf(tenant, "messages")).map(({ body }) => body),
      events: (yield* rowsOf(tenant, "events")).map(({ type }) => type).sort()
    }
  })

/** Executes the only run of a new tenant to its end, with failing commits at these places. */
const story = (commits: ReturnType<typeof failingCommits>, places: ReadonlyMap<number, "before" | "after">) =>
  Effect.gen(function* () {
    const tenant = yield* newTenant
    const contact = yield* newContact(tenant)
    const url = `https://${tenant.workspace.id}.example.org/hook`
    const workflow = yield* newWorkflow(tenant, actions(yield* newPipeline(tenant, ["new", "won"]), url))
    yield* happens(tenant, workflow.eventName, contact, "k")
    commits.failAt(places)
    // After a crash, the next claim waits until the lease expires.
    for (let turn = 0; turn < 6; turn++) {
      yield* runDue(tenant)
      yield* TestClock.adjust(turn === 2 ? hour : leaseMs + minute)
    }
    const made = commits.commits()
    commits.failAt(new Map())
    const calls = (yield* Ref.get((yield* Receiver).got)).filter((request) => request.url === url)
    return { made, calls, effects: yield* effects(tenant, contact) }
  })

for (const [name, storage] of databases) {
  const commits = failingCommits()
  layer(runDesk(commits.over(storage)))(`a run on ${name}`, (it) => {
    it.effect("has each effect once after a crash at any commit", () =>
      Effect.gen(function* () {
        const whole = yield* story(commits, new Map())
        expect(whole.effects.run).toEqual(["completed", expect.any(Array)])
        expect(whole.calls).toHaveLength(1)
        expect(whole.made).toBeGreaterThanOrEqual(6)
        for (let place = 0; place < whole.made; place++) {
          for (const when of ["before", "after"] as const) {
            const cut = yield* story(commits, new Map([[place, when]]))
            expect([place, when, cut.effects]).toEqual([place, when, whole.effects])
            // A call with unknown outcome is repeated with the same idempotency key.
            expect(new Set(cut.calls.map(({ headers }) => headers["idempotency-key"])).size).toBe(1)
          }
        }
      })
    )
  })
}
