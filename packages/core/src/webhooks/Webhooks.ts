import { Clock, Context, Effect, Either, Layer, Random } from "effect"
import { fileLinks } from "../attachments/fileLink.js"
import { Decider, type Decision } from "../Decider.js"
import { EngineSettings } from "../EngineSettings.js"
import type { Refusal } from "../errors/Refusal.js"
import { minute } from "../Instant.js"
import { webhookAttemptSeconds } from "../metrics/engineMetrics.js"
import { changes } from "../ports/Changes.js"
import { HttpSender } from "../ports/HttpSender.js"
import { Ids } from "../ports/Ids.js"
import { SecretBox } from "../ports/SecretBox.js"
import { type CommitError, lookup, type ReadError, Storage } from "../ports/Storage.js"
import type { Job } from "../worker/Job.js"
import type { Attempt, Delivery } from "./Delivery.js"
import { deliveryPayload } from "./deliveryJob.js"
import { type DueWorld, dueDelivery } from "./dueDelivery.js"
import { linkedEvent } from "./linkedEvent.js"
import { type AttemptWorld, isSuccess, recordAttempt } from "./recordAttempt.js"
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

  /** As things are after the attempt: a success must end a row of failures that came while it was under way. */
  const loadAttempted = ({ endpointId, id }: Delivery): Effect.Effect<AttemptWorld | undefined, ReadError> =>
    Effect.map(
      storage.read({ deliveries: lookup("deliveries", { id }), endpoints: lookup("endpoints", { id: endpointId }) }),
      // Undefined where it was erased while its receiver had it.
      ({ deliveries: [delivery], endpoints }) => delivery && { delivery, endpoint: endpoints[0] }
    )

  const deliver: Webhooks["deliver"] = (job) =>
    Effect.gen(function* () {
      const due = yield* decideAndCommit(loadDue(job), (world, now) => dueDelivery(world, job, now))
      if (due === null) return
      const { delivery, endpoint, event } = due
      const secret = yield* Effect.either(secretBox.open(endpoint.secret))
      if (secret._tag === "Left") return yield* waitForSecret(job, secret.left.reason)
      const startedAt = yield* Clock.currentTimeMillis
      const id = ids.next(startedAt)
      const number = delivery.attempts + 1
      const signed = { url: endpoint.url, secret: secret.right }
      const links = fileLinks(secretBox, settings.attachments, settings.publicUrl, startedAt)
      const told = linkedEvent(event, links)
      const result = yield* sender.post(webhookRequest(told, { id, number }, signed, settings.serviceName, startedAt))
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
      const made = { attempt, event, job, jitter: yield* Random.next }
      yield* decideAndCommit(loadAttempted(delivery), (world, now, ids) =>
        world === undefined ? Either.right(gone(job)) : recordAttempt(world, made, now, ids)
      )
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

  return Webhooks.of({ deliver })
})

/** What is left to do for a delivery that was erased: an attempt at it would say what was to be forgotten. */
const gone = (job: Job): Decision<void> => ({
  changes: changes(job.workspaceId, { settle: { jobId: job.id, epoch: job.epoch, again: null } }),
  result: undefined
})

/** What metrics call it. */
const outcomeOf = (attempt: Attempt): string =>
  isSuccess(attempt) ? "accepted" : attempt.status === null ? "no_answer" : "refused"

export const layer: Layer.Layer<Webhooks, never, Storage | Ids | HttpSender | SecretBox | EngineSettings | Decider> =
  Layer.effect(Webhooks, make)
