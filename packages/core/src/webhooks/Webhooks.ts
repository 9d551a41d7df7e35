import { Clock, Context, Effect, Layer, Random } from "effect"
import { Decider } from "../Decider.js"
import { EngineSettings } from "../EngineSettings.js"
import type { Refusal } from "../errors/Refusal.js"
import { minute } from "../Instant.js"
import { changes, expect, type Parts, set } from "../ports/Changes.js"
import { HttpSender } from "../ports/HttpSender.js"
import { Ids } from "../ports/Ids.js"
import { Notifier } from "../ports/Notifier.js"
import { SecretBox } from "../ports/SecretBox.js"
import { type CommitError, lookup, type ReadError, Storage } from "../ports/Storage.js"
import type { Job } from "../worker/Job.js"
import type { Attempt, Delivery } from "./Delivery.js"
import { deliveryPayload } from "./deliveryJob.js"
import { type Endpoint, failuresThatDisable, isActive } from "./Endpoint.js"
import { type AttemptWorld, recordAttempt } from "./recordAttempt.js"
import { webhookRequest } from "./webhookRequest.js"

/** Brings events to endpoints: the work of the lanes `deliveries` and `retries`. */
export interface Webhooks {
  readonly deliver: (job: Job) => Effect.Effect<void, Refusal | CommitError>
}
export const Webhooks = Context.GenericTag<Webhooks>("@parley/core/Webhooks")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const ids = yield* Ids
  const sender = yield* HttpSender
  const secretBox = yield* SecretBox
  const notifier = yield* Notifier
  const settings = yield* EngineSettings
  const { decideAndBump } = yield* Decider

  const settle = (job: Job, parts: Parts = {}) =>
    Effect.asVoid(
      storage.commit(changes(job.workspaceId, parts, { settle: { jobId: job.id, epoch: job.epoch, again: null } }))
    )

  const loadRecord = (delivery: Delivery): Effect.Effect<AttemptWorld, ReadError> =>
    Effect.map(
      storage.read({
        deliveries: lookup("deliveries", { id: delivery.id }),
        endpoints: lookup("endpoints", { id: delivery.endpointId })
      }),
      ({ deliveries, endpoints }) => ({ delivery: deliveries[0] ?? delivery, endpoint: endpoints[0] })
    )

  const deliver: Webhooks["deliver"] = (job) =>
    Effect.gen(function* () {
      const { applicationId, eventId, once } = deliveryPayload(job)
      const { applications, deliveries, events, endpoints } = yield* storage.read({
        deliveries: lookup("deliveries", { id: job.reference }),
        events: lookup("events", { id: eventId }),
        endpoints: lookup("endpoints", { id: job.subject }),
        applications: lookup("applications", { id: applicationId })
      })
      const delivery = deliveries[0]
      const event = events[0]
      const endpoint = endpoints[0]
      if (delivery === undefined || delivery.status !== "pending") return yield* settle(job)
      if (event === undefined || endpoint === undefined || endpoint.status === "deleted") {
        return yield* settle(job, failedParts(delivery, yield* Clock.currentTimeMillis))
      }
      const application = applications[0]
      if ((!once && !isActive(endpoint)) || application?.status !== "active") {
        // It stays pending without a job until it is resumed; not if that happened just now, for then it needs this one.
        const { version } = endpoint
        const paused = [expect("endpoints", { id: endpoint.id }, { version })]
        if (application) paused.push(expect("applications", { id: applicationId }, { version: application.version }))
        return yield* settle(job, { expects: paused })
      }

      const secret = yield* Effect.either(secretBox.open(endpoint.secret))
      if (secret._tag === "Left") return yield* waitForSecret(job, secret.left.reason)
      const startedAt = yield* Clock.currentTimeMillis
      const id = ids.next(startedAt)
      const number = delivery.attempts + 1
      const signed = { url: endpoint.url, secret: secret.right }
      const result = yield* sender.post(webhookRequest(event, { id, number }, signed, settings.serviceName, startedAt))
      const attempt: Attempt = {
        id,
        workspaceId: delivery.workspaceId,
        deliveryId: delivery.id,
        endpointId: endpoint.id,
        number,
        startedAt,
        durationMs: (yield* Clock.currentTimeMillis) - startedAt,
        status: result._tag === "Answered" ? result.status : null,
        error: result._tag === "Answered" ? null : result.error,
        answer: result._tag === "Answered" ? result.body : null
      }
      const jitter = yield* Random.next
      const { bumped, result: recorded } = yield* decideAndBump(loadRecord(delivery), (world, now) =>
        recordAttempt(world, job, attempt, jitter, now)
      )
      if (!recorded.succeeded && bumped[0]?.consecutiveFailures === failuresThatDisable) yield* tellDisabled(endpoint)
    }).pipe(Effect.annotateLogs("delivery_id", job.reference))

  /** That a secret cannot be read is this host's fault, not the endpoint's: nothing is counted, and it is tried again. */
  const waitForSecret = (job: Job, reason: string) =>
    Effect.gen(function* () {
      yield* Effect.logError(
        `a webhook waits: its endpoint's signing secret cannot be read (${reason}); check PARLEY_SECRET_KEY`
      )
      const again = { runAt: (yield* Clock.currentTimeMillis) + minute, lane: job.lane, payload: job.payload }
      const settled = { jobId: job.id, epoch: job.epoch, again }
      yield* storage.commit(changes(job.workspaceId, { settle: settled }))
    })

  const tellDisabled = (endpoint: Endpoint) =>
    notifier.tell({
      workspaceId: endpoint.workspaceId,
      kind: "webhook_endpoint.disabled",
      subjectId: endpoint.id,
      message: `The webhook endpoint ${endpoint.url} failed ${failuresThatDisable} times in a row and is disabled. Its waiting deliveries are kept; enable it to send them.`
    })

  return Webhooks.of({ deliver })
})

const failedParts = ({ id, version }: Delivery, completedAt: number): Parts => ({
  expects: [expect("deliveries", { id }, { version })],
  sets: [set("deliveries", { id }, { status: "failed", completedAt })]
})

export const layer: Layer.Layer<
  Webhooks,
  never,
  Storage | Ids | HttpSender | SecretBox | Notifier | EngineSettings | Decider
> = Layer.effect(Webhooks, make)
