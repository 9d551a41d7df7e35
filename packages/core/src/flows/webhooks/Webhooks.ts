import { Clock, Context, Effect, Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider, type Decision, preloaded } from "../../kernel/Decider.js"
import { EngineSettings } from "../../kernel/EngineSettings.js"
import { lruCache } from "../../kernel/lruCache.js"
import { ApplicationMetrics } from "../../kernel/metrics/applicationMetrics.js"
import { webhookAttemptSeconds } from "../../kernel/metrics/engineMetrics.js"
import { retryWhileUnavailable } from "../../kernel/retryWhileUnavailable.js"
import { storableText } from "../../kernel/text/storableText.js"
import type { Attempt } from "../../model/Delivery.js"
import { applicationOf, type Endpoint, isOfWorkspace, isSubscription } from "../../model/Endpoint.js"
import type { Event } from "../../model/Event.js"
import type { Instant } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import { changes, endJob, settleJob } from "../../ports/Changes.js"
import { EventLoop } from "../../ports/EventLoop.js"
import { HttpSender } from "../../ports/HttpSender.js"
import { Ids } from "../../ports/Ids.js"
import { SecretBox, type SecretUnreadable } from "../../ports/SecretBox.js"
import { type CommitError, lookup, type ReadError, readByIds, Storage } from "../../ports/Storage.js"
import { annotations, type Handlers } from "../../queue/Handlers.js"
import { postponeUntilReadable } from "../../queue/postponeUntilReadable.js"
import { fileLinks } from "../../resources/attachments/fileLink.js"
import {
  type DeliveryPayload,
  deliveryPayload,
  hasLostClaim,
  settledPayload
} from "../../resources/events/deliveryJob.js"
import { loadOrder, nextWaiting } from "./deliveryOrder.js"
import { type DueDelivery, type DueWorld, dueDelivery } from "./dueDelivery.js"
import { openUrl } from "./endpointUrl.js"
import { type AttemptWorld, isSuccess, recordAttempt } from "./recordAttempt.js"
import { type Subscriber, SubscriptionHandlers } from "./SubscriptionHandlers.js"
import { webhookBody, webhookRequest } from "./webhookRequest.js"
import { withFileLinks } from "./withFileLinks.js"
import { withVisibleQuote } from "./withVisibleQuote.js"

/** Delivers events to endpoints: the handler of the lanes `deliveries`, `retries` and `subscriptions`. */
export interface Webhooks {
  readonly deliver: Handlers["deliveries"]
}
export const Webhooks = Context.GenericTag<Webhooks>("@parley/core/Webhooks")

/** Where an endpoint is, in clear text. */
interface OpenedEndpoint {
  readonly url: string
  readonly secret: string
}

/** Maximum length of the text of a subscriber's failure, in characters. It may come from anywhere. */
const maxErrorLength = 500

const maxOpenedEndpoints = 1_000
/** The sealed texts, which change with the clear ones. */
const openedKey = ({ secret, url }: Endpoint): string => `${url} ${secret}`

/** Calls the receiver of an attempt. Null: there was no attempt, and another process is to make it. */
type Call = (
  event: Event,
  attempt: { readonly id: string; readonly number: number },
  startedAt: Instant
) => Effect.Effect<Pick<Attempt, "status" | "error" | "answer"> | null>

export const make = Effect.gen(function* () {
  const { attempted } = yield* ApplicationMetrics
  const storage = yield* Storage
  const ids = yield* Ids
  const sender = yield* HttpSender
  const subscriptionHandlers = yield* SubscriptionHandlers
  const secretBox = yield* SecretBox
  const settings = yield* EngineSettings
  const { random } = yield* EventLoop
  const { decideAndCommit } = yield* Decider
  /** By {@link openedKey}. */
  const openedEndpoints = lruCache<OpenedEndpoint>(maxOpenedEndpoints)

  const loadDue = (jobs: ReadonlyArray<Job>): Effect.Effect<ReadonlyArray<DueWorld>, ReadError> =>
    Effect.suspend(() => {
      const payloads = jobs.map(deliveryPayload)
      return Effect.map(
        readByIds(storage, {
          deliveries: jobs.map(({ reference }) => reference),
          events: payloads.map(({ eventId }) => eventId),
          endpoints: jobs.map(({ subject }) => subject),
          applications: payloads.map(({ applicationId }) => applicationId)
        }),
        ({ applications, deliveries, endpoints, events }) =>
          jobs.map(({ reference, subject }, i): DueWorld => {
            const { applicationId, eventId } = payloads[i] as DeliveryPayload
            return {
              delivery: deliveries.get(reference),
              event: events.get(eventId),
              endpoint: endpoints.get(subject),
              application: applications.get(applicationId),
              order: null
            }
          })
      )
    }).pipe(Effect.flatMap(withOrders))

  /** The worlds of one claim or commit, with the order of the deliveries that have one. */
  const withOrders = (worlds: ReadonlyArray<DueWorld>): Effect.Effect<ReadonlyArray<DueWorld>, ReadError> => {
    const ordered = worlds.flatMap(({ delivery }) => (delivery?.orderKey == null ? [] : [delivery.id]))
    if (ordered.length === 0) return Effect.succeed(worlds)
    const together = new Set(ordered)
    return Effect.clockWith((clock) =>
      Effect.forEach(
        worlds,
        (world) =>
          world.delivery === undefined
            ? Effect.succeed(world)
            : Effect.map(loadOrder(storage, world.delivery, together, clock.unsafeCurrentTimeMillis()), (order) =>
                order === null ? world : { ...world, delivery: order.delivery, order }
              ),
        { concurrency: "unbounded" }
      )
    )
  }

  /** The rows after the attempt. Undefined if the delivery was erased meanwhile, or the attempt is recorded already. */
  const loadAttempted = (
    { delivery: { id }, endpoint }: DueDelivery,
    attemptId: string
  ): Effect.Effect<AttemptWorld | undefined, ReadError> =>
    Effect.flatMap(
      storage.read({
        // Its commit may have been written although the answer was lost.
        attempts: lookup("attempts", { id: attemptId }),
        deliveries: lookup("deliveries", { id }),
        endpoints: lookup("endpoints", { id: endpoint.id })
      }),
      ({ attempts: [recorded], deliveries: [delivery], endpoints: [endpoint] }) =>
        delivery === undefined || recorded !== undefined
          ? Effect.succeed(undefined)
          : Effect.map(nextWaiting(storage, delivery), (next) => ({
              delivery,
              endpoint,
              next
            }))
    )

  const open = (endpoint: Endpoint): Effect.Effect<OpenedEndpoint, SecretUnreadable> =>
    Effect.zipWith(openUrl(secretBox, endpoint), secretBox.open(endpoint.secret), (url, secret) => {
      const found = { url, secret }
      openedEndpoints.set(openedKey(endpoint), found)
      return found
    })

  /** Calls the receiver and records the attempt. `url`: the endpoint's, in clear text. */
  const attempt = (job: Job, due: DueDelivery, url: string, call: Call) =>
    Effect.clockWith((clock) => {
      const { delivery, endpoint, event, next } = due
      const startedAt = clock.unsafeCurrentTimeMillis()
      const id = ids.next(startedAt)
      const number = delivery.attempts + 1
      const links = fileLinks(secretBox, settings.attachments, settings.publicUrl, startedAt)
      const shown = withVisibleQuote(withFileLinks(event, links), applicationOf(endpoint))
      return Effect.flatMap(call(shown, { id, number }, startedAt), (reply) => {
        if (reply === null) return Effect.asVoid(release(job))
        const attempt: Attempt = {
          id,
          workspaceId: delivery.workspaceId,
          deliveryId: delivery.id,
          endpointId: endpoint.id,
          number,
          startedAt,
          durationMs: clock.unsafeCurrentTimeMillis() - startedAt,
          ...reply
        }
        webhookAttemptSeconds(attempt.durationMs / 1_000, outcomeOf(attempt))
        if (!isOfWorkspace(delivery)) attempted(delivery.applicationId, outcomeOf(attempt))
        const made = { attempt, called: { endpoint, url }, event, job, jitter: random() }
        const before: AttemptWorld = { delivery, endpoint, next }
        return retryWhileUnavailable(
          decideAndCommit(preloaded(before, loadAttempted(due, id)), (world, now, ids) =>
            world === undefined ? Either.right(jobDone(job)) : recordAttempt(world, made, now, ids)
          )
        )
      })
    })

  const post =
    ({ secret, url }: OpenedEndpoint): Call =>
    (event, attempt, startedAt) =>
      Effect.map(
        sender.post(webhookRequest(event, attempt, { url, secret }, settings.serviceName, startedAt)),
        (result) =>
          result._tag === "Answered"
            ? { status: result.status, error: null, answer: result.body }
            : { status: null, error: result.error, answer: null }
      )

  /** A test shows that this process handles the subscription, whose function gets no test. */
  const handle =
    (subscriber: Subscriber, { delivery: { id: deliveryId }, endpoint }: DueDelivery): Call =>
    (event, { number }) => {
      const handled =
        event.type === "webhook.test"
          ? Effect.void
          : subscriber(webhookBody(event, isOfWorkspace(endpoint)), { deliveryId, number })
      return Effect.match(handled, {
        onFailure: (error) =>
          error === null ? null : { status: null, error: storableText(error, maxErrorLength), answer: null },
        onSuccess: () => ({ status: null, error: null, answer: null })
      })
    }

  /**
   * The subscription ended in this process after the claim, its function failed while this process stops, or a host of
   * an earlier version inserted the job in the lane of webhooks: a process that serves the subscription may handle the
   * event.
   */
  const release = (job: Job) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const again = { runAt: now, lane: "subscriptions" as const, payload: settledPayload(job) }
      return storage.commit(changes(job.workspaceId, { settle: settleJob(job, again) }))
    })

  const deliver = (job: Job, due: DueDelivery) => {
    if (isSubscription(due.endpoint)) {
      if (hasLostClaim(job)) return attempt(job, due, due.endpoint.url, () => Effect.succeed(lost))
      const subscriber = subscriptionHandlers.get(due.endpoint.id)
      if (subscriber === undefined) return Effect.asVoid(release(job))
      return attempt(job, due, due.endpoint.url, handle(subscriber, due))
    }
    const target = openedEndpoints.get(openedKey(due.endpoint))
    if (target !== undefined) return attempt(job, due, target.url, post(target))
    return Effect.matchEffect(open(due.endpoint), {
      onFailure: ({ reason }) => waitForSecret(job, reason),
      onSuccess: (target) => attempt(job, due, target.url, post(target))
    })
  }

  const deliverOne = (job: Job, world: DueWorld): Effect.Effect<void, Refusal | CommitError> =>
    Effect.clockWith((clock) => {
      const decided = dueDelivery(world, job, clock.unsafeCurrentTimeMillis())
      // The usual case: an attempt is due, and nothing is written before it.
      if (Either.isRight(decided) && decided.right.changes === null && decided.right.result !== null) {
        return deliver(job, decided.right.result)
      }
      const reload = Effect.map(loadDue([job]), ([present]) => present as DueWorld)
      return Effect.flatMap(
        decideAndCommit(preloaded(world, reload), (world, now) => dueDelivery(world, job, now)),
        (due) => (due === null ? Effect.void : deliver(job, due))
      )
    })

  const waitForSecret = (job: Job, reason: string) =>
    postponeUntilReadable(
      storage,
      job,
      { what: "a webhook", error: `its endpoint's URL or signing secret ${reason}` },
      (runAt) => ({ runAt, lane: job.lane, payload: job.payload })
    ).pipe(Effect.annotateLogs({ ...annotations(job), delivery_id: job.reference }))

  return Webhooks.of({
    deliver: (jobs) =>
      Effect.map(loadDue(jobs), (worlds) => jobs.map((job, i) => deliverOne(job, worlds[i] as DueWorld)))
  })
})

/**
 * The attempt at a subscription of which nothing was recorded. An event whose function ends the process is thus retried
 * by the schedule, and fails in the end.
 */
const lost: Pick<Attempt, "status" | "error" | "answer"> = {
  status: null,
  error: "The end of the attempt was not recorded: its process ended, was blocked, or lost the database.",
  answer: null
}

/**
 * Ends the job of an erased delivery, or of an attempt that is recorded. No attempt row is written: it could contain
 * erased data.
 */
const jobDone = (job: Job): Decision<void> => ({
  changes: changes(job.workspaceId, { settle: endJob(job) }),
  result: undefined
})

/** The metrics label `outcome`. */
const outcomeOf = (attempt: Attempt): string =>
  isSuccess(attempt) ? "accepted" : attempt.status === null ? "no_answer" : "refused"
