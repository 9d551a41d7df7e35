import { Effect } from "effect"
import type { Delivery, OrderState } from "../../model/Delivery.js"
import type { Endpoint } from "../../model/Endpoint.js"
import type { Instant } from "../../model/Instant.js"
import { expect, type Parts, row, set } from "../../ports/Changes.js"
import { lookup, type ReadError, readByIds, type Storage } from "../../ports/Storage.js"
import { deliveryJob } from "../../resources/events/deliveryJob.js"

/**
 * What stands beside a delivery with an `orderKey` (docs/reference/webhooks.md#order-of-a-conversation). Deliveries of
 * one endpoint and key start one at a time, in the order of their events.
 *
 * Each delivery has a job when it is inserted, which may start anywhere. Before an attempt, the process looks at the
 * others with the key. If one goes first, the delivery gives its job up and is `waiting`, in a commit that marks the
 * other one as `followed`. The commit that ends a followed delivery gives the first waiting one a job, and marks it as
 * followed in turn. Both commits expect the versions of both deliveries, so neither misses the other.
 *
 * Invariant: while deliveries of a key wait, one that does not is `followed`.
 */
export interface DeliveryOrder {
  /** The delivery, as it was read together with the others. */
  readonly delivery: Delivery
  /** The other pending deliveries of the key that do not wait. */
  readonly others: ReadonlyArray<Delivery>
  /** The ids of those of later events whose jobs are leased elsewhere: an attempt may be under way. */
  readonly running: ReadonlySet<string>
  /** The waiting delivery of the earliest event. Not read if no delivery of the key is `followed`: then none waits. */
  readonly next: Delivery | undefined
}

type Reader = Pick<Storage, "list" | "read">

/**
 * Reads the order of a delivery; null: it has none. `together`: the ids of deliveries whose attempts this process
 * decides at the same time. Each of them sees all others, so none of a later event runs.
 */
export const loadOrder = (
  storage: Reader,
  delivery: Delivery,
  together: ReadonlySet<string>,
  now: Instant
): Effect.Effect<DeliveryOrder | null, ReadError> =>
  Effect.gen(function* () {
    const { endpointId, eventId, id, orderKey } = delivery
    if (orderKey === null) return null
    const where = { endpointId, orderKey, status: "pending" as const }
    const { followed, open } = yield* storage.read({
      open: lookup("deliveries", { ...where, orderState: "open" }),
      followed: lookup("deliveries", { ...where, orderState: "followed" })
    })
    const others = [...open, ...followed].filter((other) => other.id !== id)
    const later = others.filter((other) => other.eventId > eventId && !together.has(other.id))
    const jobs = later.length === 0 ? [] : yield* leasedJobs(storage, later, now)
    const present = followed.find((one) => one.id === id) ?? open.find((one) => one.id === id) ?? delivery
    // Also for an open delivery: it must not pass an earlier one that waits for a later one.
    const next =
      followed.length === 0 ? yield* nextWaiting(storage, present) : yield* firstWaiting(storage, present, new Set())
    return { delivery: present, others, running: new Set(jobs), next }
  })

const leasedJobs = (storage: Reader, deliveries: ReadonlyArray<Delivery>, now: Instant) =>
  Effect.map(readByIds(storage, { jobs: deliveries.map(({ id }) => id) }), ({ jobs }) =>
    [...jobs.values()].filter(({ leaseUntil }) => leaseUntil > now).map(({ id }) => id)
  )

/**
 * The delivery that starts when this one has ended or is deleted: the waiting one of the earliest event, besides those
 * in `except`. Undefined: none waits for it.
 */
export const nextWaiting = (
  storage: Reader,
  delivery: Delivery,
  except: ReadonlySet<string> = new Set()
): Effect.Effect<Delivery | undefined, ReadError> =>
  delivery.orderState === "open" ? Effect.succeed(undefined) : firstWaiting(storage, delivery, except)

/** The waiting delivery of the earliest event with the key of this one, besides it and those in `except`. */
const firstWaiting = (
  storage: Reader,
  { endpointId, id, orderKey }: Delivery,
  except: ReadonlySet<string>
): Effect.Effect<Delivery | undefined, ReadError> =>
  orderKey === null
    ? Effect.succeed(undefined)
    : Effect.map(
        storage.list({
          from: "deliveries",
          where: { endpointId, orderKey, orderState: "waiting" },
          oldestFirstBy: "eventId",
          after: null,
          limit: except.size + 2
        }),
        (waiting) => waiting.find((other) => other.id !== id && !except.has(other.id))
      )

/** Whether a due delivery is attempted now, and what is written before. If not, its job ends. */
export interface Turn {
  readonly starts: boolean
  readonly changes: ReadonlyArray<Parts>
}

/** Decides the turn of a due delivery. `order`: null for a delivery without order. */
export const turnOf = (delivery: Delivery, order: DeliveryOrder | null, endpoint: Endpoint, now: Instant): Turn => {
  if (order === null) return { starts: true, changes: [] }
  const { next, others, running } = order
  const earliest = others.reduce<Delivery | undefined>(
    (found, one) => (found === undefined || isEarlier(one, found) ? one : found),
    undefined
  )
  const ahead =
    earliest !== undefined && isEarlier(earliest, delivery) ? earliest : others.find(({ id }) => running.has(id))
  if (ahead !== undefined) {
    const isKnown = delivery.orderState === "waiting" && ahead.orderState === "followed"
    return {
      starts: false,
      changes: isKnown
        ? [{ expects: [...unchanged(delivery), ...unchanged(ahead)] }]
        : [withOrderState(delivery, "waiting"), withOrderState(ahead, "followed")]
    }
  }
  if (next !== undefined && isEarlier(next, delivery)) {
    // Both were about to start, and the earlier one found the job of this one leased.
    return { starts: false, changes: [withOrderState(delivery, "waiting"), enqueueNext(next, endpoint, now)] }
  }
  // It got a job although none ended, such as when the endpoint was enabled.
  return { starts: true, changes: delivery.orderState === "waiting" ? [withOrderState(delivery, "followed")] : [] }
}

/**
 * The changes by which the next delivery gets a job when the one before it has ended. None for a deleted
 * endpoint, all of whose deliveries get jobs.
 */
export const enqueueNext = (next: Delivery | undefined, endpoint: Endpoint | undefined, now: Instant): Parts =>
  next === undefined || endpoint === undefined
    ? {}
    : endpoint.status === "deleted"
      ? // Conflicts with a subscription that is made again, in which the next one may have given its job up.
        { expects: [expect("endpoints", { id: endpoint.id }, { status: "deleted" })] }
      : { ...withOrderState(next, "followed"), ensures: [row("jobs", deliveryJob(next, endpoint, now))] }

/** The columns of a delivery that leaves its order. */
export const withoutOrder = ({ orderKey }: Delivery): Partial<Delivery> =>
  orderKey === null ? {} : { orderKey: null, orderState: null }

const unchanged = ({ id, version }: Delivery) => [expect("deliveries", { id }, { version })]

const withOrderState = (delivery: Delivery, orderState: OrderState): Parts => ({
  expects: unchanged(delivery),
  sets: [set("deliveries", { id: delivery.id }, { orderState })]
})

const isEarlier = (one: Delivery, other: Delivery): boolean => one.eventId < other.eventId
