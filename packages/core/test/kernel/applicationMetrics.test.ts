import { expect, it, layer } from "@effect/vitest"
import { databases } from "@parley/testkit/databases"
import { Clock, Effect } from "effect"
import { makeApplicationLabels } from "../../src/kernel/metrics/applicationMetrics.js"
import { recorded } from "../../src/kernel/metrics/recorded.js"
import { Storage } from "../../src/ports/Storage.js"
import { Dispatcher } from "../../src/queue/Dispatcher.js"
import { leaseMs } from "../../src/queue/HeldLease.js"
import { engine, eventually, newTenant, send } from "../harness.js"

it("an application keeps its label value, and later ones share one", () => {
  const labelOf = makeApplicationLabels(2)
  expect(["a", "b", "c", "a", "d", "b"].map(labelOf)).toEqual(["a", "b", "other", "a", "other", "b"])
})

const counted = (name: string, application: string, outcome: string): number =>
  recorded(name)
    .flatMap(({ samples }) => samples)
    .filter(({ labels }) => labels.application === application && labels.outcome === outcome)
    .reduce((sum, { value }) => sum + value, 0)
const messages = (application: string, outcome: string) =>
  counted("parley_application_messages_total", application, outcome)
const attempts = (application: string) => counted("parley_application_webhook_attempts_total", application, "accepted")

for (const [name, storage] of databases) {
  layer(engine(storage, 0, { metricsApplications: 1 }), { excludeTestServices: true })(
    `metrics by application on ${name}`,
    (it) => {
      it.effect("count messages and webhook attempts, of the applications beyond the limit together", () =>
        Effect.gen(function* () {
          const { claimJobs } = yield* Storage
          const { owner, start } = yield* Dispatcher
          const [one, other] = [yield* newTenant, yield* newTenant]
          const before = { messages: messages("other", "accepted"), attempts: attempts("other") }
          yield* send(one, "+491701000041", "first")
          yield* send(one, "+491701000041", "second")
          yield* send(one, "+491701000041", "second")
          yield* send(other, "+491701000042", "third")
          expect(messages(one.application.id, "accepted")).toBe(2)
          expect(messages(other.application.id, "accepted")).toBe(0)
          expect(messages("other", "accepted") - before.messages).toBe(1)
          const deliver = Effect.gen(function* () {
            const now = (yield* Clock.currentTimeMillis) + 1
            const lane = { lane: "deliveries" as const, limit: 100, perSubject: 100, except: [] }
            const { jobs } = yield* claimJobs({ now, owner, leaseMs, lanes: [lane] })
            yield* Effect.forEach(jobs, start)
            return [attempts(one.application.id), attempts("other") - before.attempts]
          })
          // Two events of each message: queued and sent.
          yield* eventually(deliver, ([own = 0, others = 0]) => own >= 4 && others >= 2)
        })
      )
    }
  )
}
