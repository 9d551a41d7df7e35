import { expect, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Clock, Context, Effect, Layer, Ref, TestClock } from "effect"
import type { BusinessEvents } from "../../../../src/flows/workflows/BusinessEvents.js"
import { retryRun } from "../../../../src/flows/workflows/retryRun.js"
import { make, Runs } from "../../../../src/flows/workflows/runs/Runs.js"
import { runStartToken } from "../../../../src/flows/workflows/runs/runStartToken.js"
import { parseJson } from "../../../../src/kernel/input/exactNumbers.js"
import type { Action } from "../../../../src/model/Action.js"
import { day, hour, minute, second } from "../../../../src/model/Instant.js"
import { changes, expect as expected, set } from "../../../../src/ports/Changes.js"
import { Ids } from "../../../../src/ports/Ids.js"
import { SecretBox } from "../../../../src/ports/SecretBox.js"
import { Storage } from "../../../../src/ports/Storage.js"
import { newTenant, Receiver } from "../../../harness.js"
import { agreed } from "../../../outcomes.js"
import {
  anAction,
  contactNow,
  happens,
  jobOf,
  newContact,
  newWorkflow,
  onlyRun,
  rowsOf,
  runDesk,
  runDue
} from "../runDesk.js"

const tag = (name: string, more: Partial<Action> = {}) => anAction({ type: "add_tag", tag: name }, more)
const task = (title: string) => anAction({ type: "create_task", title, dueInMs: hour, agentId: null, teamId: null })
const wait = (forMs: number) => anAction({ type: "wait", forMs })
const text = (body: string): Action =>
  anAction({
    type: "send_message",
    channel: "whatsapp",
    connectionId: null,
    content: { type: "text", body, subject: null },
    wanted: null
  })

for (const [name, storage] of databases) {
  layer(runDesk(storage))(`runs on ${name}`, (it) => {
    it.scoped("of one claim read what they need together", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const workflow = yield* newWorkflow(tenant, [tag("{{data.kind}}")])
        const contacts = yield* Effect.all([newContact(tenant), newContact(tenant), newContact(tenant)])
        // With a new tag for each: the insertion of one would be a conflict.
        for (const contact of contacts) {
          yield* happens(tenant, workflow.eventName, contact, contact.id, { data: { kind: contact.id } })
        }
        const store = yield* Storage
        let reads = 0
        const read: typeof store.read = (lookups) => {
          reads++
          return store.read(lookups)
        }
        const counting = Layer.provide(Layer.effect(Runs, make), Layer.succeed(Storage, { ...store, read }))
        const runs = Context.get(yield* Layer.build(counting), Runs)
        const jobs = (yield* Effect.forEach(yield* rowsOf(tenant, "workflowRuns"), jobOf)).flatMap((job) => job ?? [])
        expect(jobs.length).toBe(3)
        yield* Effect.all(yield* runs.advance(jobs), { concurrency: "unbounded" })
        expect((yield* rowsOf(tenant, "workflowRuns")).map(({ status }) => status)).toEqual(Array(3).fill("completed"))
        // The rows of the runs, then those of their actions.
        expect(reads).toBe(2)
      })
    )

    it.effect("execute their actions in order, each with the changes of earlier ones", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const workflow = yield* newWorkflow(tenant, [
          tag("{{data.kind}}"),
          tag("second"),
          task("Call {{contact.first_name}} about {{data.order.id}}"),
          text("Hi {{contact.first_name}}: {{event}}")
        ])
        const data = { kind: "vip", order: { id: 7 } }
        expect(yield* happens(tenant, workflow.eventName, contact, "k", { data })).toBe(1)
        yield* runDue(tenant)
        const run = yield* onlyRun(tenant)
        expect(run.steps.map(({ outcome, type }) => [type, outcome])).toEqual([
          ["add_tag", "done"],
          ["add_tag", "done"],
          ["create_task", "done"],
          ["send_message", "done"]
        ])
        expect(run).toMatchObject({ status: "completed", reason: null, pending: null, position: 4 })
        expect((yield* contactNow(contact)).tags).toEqual(["vip", "second"])
        expect(yield* rowsOf(tenant, "tasks")).toMatchObject([
          { title: "Call Ada about 7", contactId: contact.id, status: "open", dueAt: hour }
        ])
        expect(yield* rowsOf(tenant, "messages")).toMatchObject([
          { body: `Hi Ada: ${workflow.eventName}`, workflowRunId: run.id, applicationId: tenant.application.id }
        ])
        expect(yield* jobOf(run)).toBeUndefined()
      })
    )

    it.effect("start once per dedupe key and per Idempotency-Key, without a time limit", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const workflow = yield* newWorkflow(tenant, [tag("once")])
        const tell = (key: string, dedupe_key?: string) =>
          happens(tenant, workflow.eventName, contact, key, dedupe_key === undefined ? {} : { dedupe_key })
        expect(yield* tell("a", "order 1")).toBe(1)
        expect(yield* tell("b", "order 1")).toBe(1)
        yield* TestClock.adjust(2 * day)
        expect(yield* tell("a")).toBe(1)
        expect(yield* tell("c", "a")).toBe(1)
        expect(yield* rowsOf(tenant, "workflowRuns")).toHaveLength(1)
        yield* tell("d")
        expect(yield* rowsOf(tenant, "workflowRuns")).toHaveLength(2)
      })
    )

    it.effect("start once for ten concurrent identical events", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const workflow = yield* newWorkflow(tenant, [tag("once")])
        const tell = (n: number) => happens(tenant, workflow.eventName, contact, `key ${n}`, { dedupe_key: "the one" })
        yield* Effect.all(
          Array.from({ length: 10 }, (_, n) => tell(n)),
          { concurrency: "unbounded" }
        )
        expect(yield* rowsOf(tenant, "workflowRuns")).toHaveLength(1)
      })
    )

    it.effect("wait for the given time and continue with the next action", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const workflow = yield* newWorkflow(tenant, [tag("before"), wait(2 * hour), tag("after")])
        yield* happens(tenant, workflow.eventName, contact, "k")
        yield* runDue(tenant)
        const waiting = yield* onlyRun(tenant)
        expect(waiting).toMatchObject({ status: "waiting", position: 1 })
        const due = waiting.pending?.until ?? 0
        expect((yield* jobOf(waiting))?.runAt).toBe(due)
        yield* TestClock.setTime(due - 1)
        expect(yield* runDue(tenant)).toEqual([])
        yield* TestClock.setTime(due)
        yield* runDue(tenant)
        expect(yield* onlyRun(tenant)).toMatchObject({ status: "completed" })
        expect((yield* contactNow(contact)).tags).toEqual(["before", "after"])
      })
    )

    it.effect("keep quiet hours by a second wait, also after an outage", () =>
      Effect.gen(function* () {
        const day = { from: "09:00", until: "20:00", timezone: "workspace" } as const
        const morning = { type: "wait", until: "09:00", days: null, timezone: "workspace" } as const
        const tagged = (begin: string, resumes: string) =>
          Effect.gen(function* () {
            const tenant = yield* newTenant
            const contact = yield* newContact(tenant)
            const quiet = anAction(morning, { if: { not: { time: day } } })
            const workflow = yield* newWorkflow(tenant, [wait(hour), quiet, tag("sent")])
            yield* TestClock.setTime(Date.parse(begin))
            yield* happens(tenant, workflow.eventName, contact, "k")
            yield* runDue(tenant)
            // The workers are away at the end of the wait.
            yield* TestClock.setTime(Date.parse(resumes))
            yield* runDue(tenant)
            const run = yield* onlyRun(tenant)
            return run.status === "completed" ? "sent" : new Date(run.pending?.until ?? 0).toISOString()
          })
        expect(yield* tagged("1970-01-01T10:00:00Z", "1970-01-01T11:00:00Z")).toBe("sent")
        expect(yield* tagged("1970-01-01T12:00:00Z", "1970-01-01T22:30:00Z")).toBe("1970-01-02T09:00:00.000Z")
      })
    )

    it.effect("skip actions whose condition does not hold, and continue after failures with on_error continue", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const lost = anAction(
          { type: "update_lead", pipelineId: null, stage: "won" },
          { name: "lost", onError: "continue" }
        )
        const workflow = yield* newWorkflow(tenant, [
          tag("never", { if: { tag: { has: "vip" } } }),
          lost,
          tag("fallback", { if: { step: { failed: "lost" } } }),
          { ...lost, onError: "stop" },
          tag("unreached")
        ])
        yield* happens(tenant, workflow.eventName, contact, "k")
        yield* runDue(tenant)
        const run = yield* onlyRun(tenant)
        expect(run.steps.map(({ outcome }) => outcome)).toEqual(["skipped", "failed", "done", "failed"])
        expect(run).toMatchObject({ status: "failed", reason: "not_found: The contact has no lead to move." })
        expect((yield* contactNow(contact)).tags).toEqual(["fallback"])
      })
    )

    it.effect("are skipped if the workflow's conditions do not hold", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const workflow = yield* newWorkflow(tenant, [tag("never")], { tag: { has: "vip" } })
        expect(yield* happens(tenant, workflow.eventName, contact, "k")).toBe(1)
        yield* runDue(tenant)
        expect(yield* onlyRun(tenant)).toMatchObject({
          status: "skipped",
          steps: [],
          reason: expect.stringContaining("tag")
        })
      })
    )

    it.effect("call webhooks with one idempotency key for all tries, and keep the version of their start", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const url = `https://${tenant.workspace.id}.example.org/hook`
        const { answer, got } = yield* Receiver
        const tries = yield* Ref.make(0)
        yield* Ref.set(answer, () =>
          Effect.map(
            Ref.getAndUpdate(tries, (n) => n + 1),
            (n) => ({ _tag: "Answered", status: n < 2 ? 503 : 200, body: "" })
          )
        )
        const workflow = yield* newWorkflow(tenant, [
          anAction({ type: "call_webhook", url, body: { order: "{{data.id}}", fixed: 1 } }),
          tag("called")
        ])
        yield* happens(tenant, workflow.eventName, contact, "k", { data: { id: 'x"y' } })
        yield* runDue(tenant)
        yield* TestClock.adjust(10 * second)
        yield* runDue(tenant)
        yield* TestClock.adjust(minute)
        yield* runDue(tenant)
        const run = yield* onlyRun(tenant)
        expect(run).toMatchObject({
          status: "completed",
          steps: [{ type: "call_webhook", attempts: 3, outcome: "done" }, {}]
        })
        const calls = (yield* Ref.get(got)).filter((request) => request.url === url)
        expect(calls.map(({ body }) => JSON.parse(body))).toEqual(
          Array.from({ length: 3 }, () => ({ order: 'x"y', fixed: 1 }))
        )
        expect(new Set(calls.map(({ headers }) => headers["idempotency-key"])).size).toBe(1)
        expect(calls.map(({ headers }) => headers["x-delivery-attempt"])).toEqual(["1", "2", "3"])
      })
    )

    it.effect("that failed continue with the action that failed when they are retried", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const url = `https://${tenant.workspace.id}.example.org/hook`
        const { answer, got } = yield* Receiver
        const status = yield* Ref.make(400)
        yield* Ref.set(answer, () => Effect.map(Ref.get(status), (status) => ({ _tag: "Answered", status, body: "" })))
        const workflow = yield* newWorkflow(tenant, [
          tag("before"),
          anAction({ type: "call_webhook", url, body: {} }, { name: "call" }),
          tag("failed", { if: { step: { failed: "call" } } }),
          tag("called", { if: { step: { done: "call" } } })
        ])
        yield* happens(tenant, workflow.eventName, contact, "k")
        yield* runDue(tenant)
        const failed = yield* onlyRun(tenant)
        expect([failed.status, yield* jobOf(failed)]).toEqual(["failed", undefined])
        const retry = Effect.gen(function* () {
          const run = yield* onlyRun(tenant)
          const decision = agreed(retryRun(run, yield* Clock.currentTimeMillis, { ...(yield* Ids), actor: "admin" }))
          yield* (yield* Storage).commit(decision.changes ?? changes(tenant.workspace.id))
          yield* runDue(tenant)
          return yield* onlyRun(tenant)
        })
        expect(yield* retry).toMatchObject({ status: "failed", reason: expect.stringContaining("answered 400") })
        yield* Ref.set(status, 200)
        const run = yield* retry
        expect(run).toMatchObject({ status: "completed", reason: null })
        expect(run.steps.map(({ outcome, position }) => [position, outcome])).toEqual([
          [0, "done"],
          [1, "failed"],
          [1, "failed"],
          [1, "done"],
          [2, "skipped"],
          [3, "done"]
        ])
        expect((yield* contactNow(contact)).tags).toEqual(["before", "called"])
        const calls = (yield* Ref.get(got)).filter((request) => request.url === url)
        expect(calls).toHaveLength(3)
        expect(new Set(calls.map(({ headers }) => headers["idempotency-key"])).size).toBe(1)
      })
    )

    it.effect("keep the digits of numbers that doubles do not hold, in calls and texts", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const url = `https://${tenant.workspace.id}.example.org/digits`
        const { answer, got } = yield* Receiver
        yield* Ref.set(answer, () => Effect.succeed({ _tag: "Answered" as const, status: 200, body: "" }))
        const workflow = yield* newWorkflow(tenant, [
          anAction({ type: "call_webhook", url, body: null }),
          anAction({ type: "call_webhook", url, body: { order: "{{data.lines.0.id}}" } })
        ])
        const text = '{"lines":[{"id":12345678901234567891}],"total":0.10000000000000000000001}'
        yield* happens(tenant, workflow.eventName, contact, "k", { data: parseJson(text) as object })
        yield* runDue(tenant)
        yield* runDue(tenant)
        const bodies = (yield* Ref.get(got)).filter((request) => request.url === url).map(({ body }) => body)
        expect(bodies).toEqual([expect.stringContaining(`"data":${text},`), '{"order":"12345678901234567891"}'])
        expect(yield* onlyRun(tenant)).toMatchObject({
          exactData: text,
          data: { lines: [{ id: 12345678901234567000 }], total: 0.1 }
        })
      })
    )

    it.effect("call sealed URLs, and show them without their query", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const url = `https://${tenant.workspace.id}.example.org/masked`
        const { answer } = yield* Receiver
        yield* Ref.set(answer, ({ url }) =>
          Effect.succeed({ _tag: "Answered" as const, status: url.endsWith("=refused") ? 404 : 200, body: "" })
        )
        const { seal } = yield* SecretBox
        const workflow = yield* newWorkflow(tenant, [
          anAction({ type: "call_webhook", url: seal(`${url}?key=hush`), body: null }),
          anAction({ type: "call_webhook", url: `${url}?key=refused`, body: null })
        ])
        yield* happens(tenant, workflow.eventName, contact, "k")
        yield* runDue(tenant)
        yield* runDue(tenant)
        expect((yield* onlyRun(tenant)).steps.map(({ detail }) => detail)).toEqual([
          `POST ${url}?key=… answered 200`,
          `POST ${url}?key=… answered 404`
        ])
      })
    )

    it.effect.each(["workspaces", "applications"] as const)("wait while a row of their %s is suspended", (table) =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const workflow = yield* newWorkflow(tenant, [tag("later")])
        yield* happens(tenant, workflow.eventName, contact, "k")
        const { id } = table === "workspaces" ? tenant.workspace : tenant.application
        const move = (status: "suspended" | "active") =>
          Effect.flatMap(Storage, (storage) =>
            storage.commit(
              changes(tenant.workspace.id, {
                expects: [expected(table, { id })],
                sets: [set(table, { id }, { status })]
              })
            )
          )
        yield* move("suspended")
        yield* runDue(tenant)
        expect(yield* onlyRun(tenant)).toMatchObject({ status: "running", steps: [] })
        yield* move("active")
        yield* TestClock.adjust(minute)
        yield* runDue(tenant)
        expect(yield* onlyRun(tenant)).toMatchObject({ status: "completed" })
      })
    )

    it.effect("above the hourly limit of contacts are stopped, with one notification", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contacts = [yield* newContact(tenant), yield* newContact(tenant)]
        const workflow = yield* newWorkflow(tenant, [task("again")])
        const tokens = yield* Storage
        // The hours of the two contacts begin at different times.
        for (const contact of contacts) {
          yield* TestClock.adjust(second)
          const now = yield* Clock.currentTimeMillis
          const request = runStartToken(contact.id, 100, now)
          yield* Effect.forEach(Array.from({ length: 97 }), () => tokens.takeToken(request))
          yield* Effect.forEach(Array.from({ length: 5 }), (_, n) =>
            happens(tenant, workflow.eventName, contact, `${contact.id} ${n}`)
          )
        }
        yield* runDue(tenant)
        const runs = yield* rowsOf(tenant, "workflowRuns")
        expect(runs.filter(({ status }) => status === "completed")).toHaveLength(6)
        expect(runs.filter(({ status }) => status === "stopped")).toHaveLength(4)
        expect(yield* rowsOf(tenant, "tasks")).toHaveLength(6)
        expect(yield* rowsOf(tenant, "notifications")).toMatchObject([{ kind: "workflow.runs_limited" }])
      })
    )

    it.effect("that start each other by webhook stop at the limit", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const url = `https://${tenant.workspace.id}.example.org/again`
        const workflow = yield* newWorkflow(tenant, [
          anAction({ type: "call_webhook", url, body: null }),
          task("again")
        ])
        const { answer } = yield* Receiver
        const context = yield* Effect.context<BusinessEvents>()
        // The receiver records the event that starts the run that called it.
        yield* Ref.set(answer, (request) =>
          happens(tenant, workflow.eventName, contact, `after ${request.headers["idempotency-key"]}`).pipe(
            Effect.orDie,
            Effect.provide(context),
            Effect.as({ _tag: "Answered" as const, status: 200, body: "" })
          )
        )
        yield* happens(tenant, workflow.eventName, contact, "first")
        const rounds = yield* Effect.repeat(runDue(tenant), { until: (exits) => exits.length === 0, times: 200 }).pipe(
          Effect.zipRight(rowsOf(tenant, "workflowRuns"))
        )
        expect(rounds.filter(({ status }) => status === "completed")).toHaveLength(100)
        expect(rounds.at(-1)).toMatchObject({ status: "stopped", steps: [] })
        expect(yield* rowsOf(tenant, "notifications")).toMatchObject([{ kind: "workflow.runs_limited" }])
      })
    )

    it.effect("executed by several workers at once have each effect once", () =>
      Effect.gen(function* () {
        const tenant = yield* newTenant
        const contact = yield* newContact(tenant)
        const workflow = yield* newWorkflow(tenant, [task("one"), text("hello"), task("two")])
        yield* happens(tenant, workflow.eventName, contact, "k")
        const job = yield* Effect.flatMap(onlyRun(tenant), jobOf)
        const runs = yield* Runs
        if (job === undefined) return yield* Effect.die("there is no job")
        yield* Effect.all(yield* runs.advance([job, job, job]), { concurrency: "unbounded" })
        expect((yield* rowsOf(tenant, "tasks")).map(({ title }) => title).sort()).toEqual(["one", "two"])
        expect(yield* rowsOf(tenant, "messages")).toHaveLength(1)
        expect((yield* onlyRun(tenant)).steps).toHaveLength(3)
      })
    )
  })
}
