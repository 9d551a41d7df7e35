import { Clock, Effect } from "effect"
import { enqueueNext, nextWaiting } from "../flows/webhooks/deliveryOrder.js"
import type { Delivery } from "../model/Delivery.js"
import type { Event } from "../model/Event.js"
import { changes, expect, type Parts, remove } from "../ports/Changes.js"
import { type CommitError, lookup, type ReadError, readByIds, type Storage } from "../ports/Storage.js"
import { untilNothingLeft } from "./untilNothingLeft.js"

type Erasing = Pick<Storage, "commit" | "list" | "read">

/** Number of events deleted by one commit, with their deliveries, attempts and jobs. */
const batch = 25

/** Deletes all events about these subjects with their deliveries, attempts and jobs, in batches. */
export const eraseEvents = (
  storage: Erasing,
  workspaceId: string,
  subjectIds: ReadonlyArray<string>
): Effect.Effect<void, CommitError> =>
  // Sequential, because the index orders the events of a single subject only.
  Effect.forEach(subjectIds, (subjectId) => eraseEventsOf(storage, workspaceId, subjectId), { discard: true })

const eraseEventsOf = (storage: Erasing, workspaceId: string, subjectId: string): Effect.Effect<void, CommitError> =>
  untilNothingLeft(
    Effect.gen(function* () {
      const events = yield* storage.list({ from: "events", where: { subjectId }, after: null, limit: batch })
      if (events.length === 0) return false
      yield* eraseBatch(storage, workspaceId, events, events)
      // A concurrent recover may have inserted deliveries of events that are deleted by now.
      yield* Effect.repeat(eraseBatch(storage, workspaceId, events, []), { until: (deliveries) => deliveries === 0 })
      return true
    })
  )

/**
 * Deletes the deliveries, attempts and jobs of `events`, and the events in `going`. Returns the number of deliveries
 * found. On a conflict it deletes nothing, and the caller reads again.
 */
const eraseBatch = (
  storage: Erasing,
  workspaceId: string,
  events: ReadonlyArray<Event>,
  going: ReadonlyArray<Event>
): Effect.Effect<number, CommitError> =>
  Effect.gen(function* () {
    const deliveriesFound = yield* storage.read(
      Object.fromEntries(events.map(({ id }) => [id, lookup("deliveries", { eventId: id })] as const))
    )
    const deliveries = Object.values(deliveriesFound).flat()
    if (deliveries.length + going.length === 0) return 0
    const [attempts, jobs] = yield* Effect.all(
      [
        storage.read(
          Object.fromEntries(deliveries.map(({ id }) => [id, lookup("attempts", { deliveryId: id })] as const))
        ),
        // A delivery and its job have the same id.
        storage.read(Object.fromEntries(deliveries.map(({ id }) => [id, lookup("jobs", { id })] as const)))
      ],
      { concurrency: "unbounded" }
    )
    const gone = [
      ...keysOf("jobs", Object.values(jobs).flat()),
      ...keysOf("attempts", Object.values(attempts).flat()),
      ...keysOf("events", going)
    ]
    const next = yield* nextDeliveries(storage, deliveries)
    yield* storage.commit(
      changes(
        workspaceId,
        {
          expects: gone.map(({ id, table }) => expect(table, { id })),
          deletes: gone.map(({ id, table }) => remove(table, { id }))
        },
        {
          // The version detects an attempt that was recorded since the delivery was read and would remain without it.
          expects: deliveries.map(({ id, version }) => expect("deliveries", { id }, { version })),
          deletes: deliveries.map(({ id }) => remove("deliveries", { id }))
        },
        ...next
      )
    )
    return deliveries.length
  })

/** The changes by which deliveries that wait for deleted ones get their jobs. */
const nextDeliveries = (
  storage: Erasing,
  deleted: ReadonlyArray<Delivery>
): Effect.Effect<ReadonlyArray<Parts>, ReadError> =>
  Effect.gen(function* () {
    const followed = deleted.filter(({ orderState }) => orderState === "followed")
    if (followed.length === 0) return []
    const except = new Set(deleted.map(({ id }) => id))
    const next = new Map<string, Delivery>()
    for (const delivery of followed) {
      const waiting = yield* nextWaiting(storage, delivery, except)
      if (waiting !== undefined) next.set(waiting.id, waiting)
    }
    const { endpoints } = yield* readByIds(storage, {
      endpoints: [...next.values()].map(({ endpointId }) => endpointId)
    })
    const now = yield* Clock.currentTimeMillis
    return [...next.values()].map((delivery) => enqueueNext(delivery, endpoints.get(delivery.endpointId), now))
  })

const keysOf = <T extends "jobs" | "attempts" | "events">(table: T, rows: ReadonlyArray<{ readonly id: string }>) =>
  rows.map(({ id }) => ({ table, id }))
