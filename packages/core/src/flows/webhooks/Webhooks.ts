import { Clock, Context, Effect, Either, Layer, Random } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider, type Decision } from "../../kernel/Decider.js"
import { EngineSettings } from "../../kernel/EngineSettings.js"
import { ApplicationMetrics } from "../../kernel/metrics/applicationMetrics.js"
import { webhookAttemptSeconds } from "../../kernel/metrics/engineMetrics.js"
import type { Attempt, Delivery } from "../../model/Delivery.js"
import type { Endpoint } from "../../model/Endpoint.js"
import { minute } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import { changes } from "../../ports/Changes.js"
import { HttpSender } from "../../ports/HttpSender.js"
import { Ids } from "../../ports/Ids.js"
import { SecretBox } from "../../ports/SecretBox.js"
import { type CommitError, lookup, type ReadError, Storage } from "../../ports/Storage.js"
import { fileLinks } from "../../resources/attachments/fileLink.js"
import { deliveryPayload } from "../../resources/events/deliveryJob.js"
import { type DueWorld, dueDelivery } from "./dueDelivery.js"
import { openUrl } from "./endpointUrl.js"
import { type AttemptWorld, isSuccess, recordAttempt } from "./recordAttempt.js"
import { webhookRequest } from "./webhookRequest.js"
import { withFileLinks } from "./withFileLinks.js"

/** Delivers events to endpoints: the handler of the lanes `deliveries` and `retries`. */
export interface Webhooks {
  readonly deliver: (job: Job) => Effect.Effect<void, Refusal | CommitError>
}
export const Webhooks = Context.GenericTag<Webhooks>("@parley/core/Webhooks")

const make = Effect.gen(function* () {
  const { attempted } = yield* ApplicationMetrics
  const storage = yield* Storage
  const ids = yield* Ids
  const sender = yield* HttpSender
  const secretBox = yield* SecretBox
  const settings = yield* EngineSettings
  const { decideAndCommit } = yield* Decider

  const loadDue = (job: Job): Effect.Effect<DueWorld, ReadError> =>
    Effect.suspend(() => {
      const { applicationId, eventId } = deliveryPayload(job)
      return Effect.map(
        storage.read({
          deliveries: lookup("deliveries", { id: job.reference }),
          events: lookup("events", { id: eventId }),
          endpoints: lookup("endpoints", { id: job.subject }),
          applications: lookup("applications", { id: applicationId })
        }),
        ({ applications, deliveries, endpoints, events }) => ({
          delivery: deliveries[0],
          event: events[0],
          endpoint: endpoints[0],
          application: applications[0]
        })
      )
    })

  /**
   * The rows that were read before the attempt; after a conflict, the present rows. Undefined if the delivery was erased
   * during the attempt. `url`: the URL of the attempt in clear text.
   */
  const loadAttempted = (
    before: { readonly delivery: Delivery; readonly endpoint: Endpoint },
    url: string
  ): Effect.Effect<AttemptWorld | undefined, ReadError> => {
    const { delivery, endpoint } = before
    const present = Effect.map(
      storage.read({
        deliveries: lookup("deliveries", { id: delivery.id }),
        endpoints: lookup("endpoints", { id: endpoint.id })
      }),
      ({ deliveries: [delivery], endpoints: [endpoint] }) =>
        delivery && { delivery, endpoint: endpoint && { ...endpoint, url } }
    )
    let isFirst = true
    return Effect.suspend(() => {
      if (!isFirst) return present
      isFirst = false
      return Effect.succeed({ delivery, endpoint: { ...endpoint, url } })
    })
  }

  const deliver: Webhooks["deliver"] = (job) =>
    Effect.gen(function* () {
      const due = yield* decideAndCommit(loadDue(job), (world, now) => dueDelivery(world, job, now))
      if (due === null) return
      const { delivery, endpoint, event } = due
      const opened = yield* Effect.either(
        Effect.all({ url: openUrl(secretBox, endpoint), secret: secretBox.open(endpoint.secret) })
      )
      if (opened._tag === "Left") return yield* waitForSecret(job, opened.left.reason)
      const startedAt = yield* Clock.currentTimeMillis
      const id = ids.next(startedAt)
      const number = delivery.attempts + 1
      const links = fileLinks(secretBox, settings.attachments, settings.publicUrl, startedAt)
      const linked = withFileLinks(event, links)
      const result = yield* sender.post(
        webhookRequest(linked, { id, number }, opened.right, settings.serviceName, startedAt)
      )
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
      webhookAttemptSeconds(attempt.durationMs / 1_000, outcomeOf(attempt))
      attempted(delivery.applicationId, outcomeOf(attempt))
      const made = { attempt, event, job, jitter: yield* Random.next }
      yield* decideAndCommit(loadAttempted(due, opened.right.url), (world, now, ids) =>
        world === undefined ? Either.right(jobDone(job)) : recordAttempt(world, made, now, ids)
      )
    }).pipe(Effect.annotateLogs("delivery_id", job.reference))

  /** An unreadable secret is a fault of this host: the attempt does not count as a failure, and the job is retried. */
  const waitForSecret = (job: Job, reason: string) =>
    Effect.gen(function* () {
      yield* Effect.logError(
        `a webhook waits: its endpoint's URL or signing secret cannot be read (${reason}); check PARLEY_SECRET_KEY`
      )
      const again = { runAt: (yield* Clock.currentTimeMillis) + minute, lane: job.lane, payload: job.payload }
      const settled = { jobId: job.id, epoch: job.epoch, again }
      yield* storage.commit(changes(job.workspaceId, { settle: settled }))
    })

  return Webhooks.of({ deliver })
})

/** Ends the job of an erased delivery. No attempt row is written, because it could contain erased data. */
const jobDone = (job: Job): Decision<void> => ({
  changes: changes(job.workspaceId, { settle: { jobId: job.id, epoch: job.epoch, again: null } }),
  result: undefined
})

/** The metrics label `outcome`. */
const outcomeOf = (attempt: Attempt): string =>
  isSuccess(attempt) ? "accepted" : attempt.status === null ? "no_answer" : "refused"

export const layer: Layer.Layer<Webhooks, never, Storage | Ids | HttpSender | SecretBox | EngineSettings | Decider> =
  Layer.effect(Webhooks, make)
