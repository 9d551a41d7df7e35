import { Effect } from "effect"
import { changes, expect, remove } from "../ports/Changes.js"
import { type CommitError, lookup, type Storage } from "../ports/Storage.js"
import type { Event } from "./Event.js"

type Erasing = Pick<Storage, "commit" | "list" | "read">

/** How many events go in one commit, with all that hangs on them. */
const batch = 25

/** Deletes the events about these subjects with their deliveries, attempts and jobs, in batches, until there are none. */
export const eraseEvents = (
  storage: Erasing,
  workspaceId: string,
  subjectIds: ReadonlyArray<string>
): Effect.Effect<void, CommitError> =>
  // One after the other: the index has the order of one subject's events only.
  Effect.forEach(subjectIds, (subjectId) => eraseEventsOf(storage, workspaceId, subjectId), { discard: true })

const eraseEventsOf = (storage: Erasing, workspaceId: string, subjectId: string): Effect.Effect<void, CommitError> =>
  Effect.gen(function* () {
    const events = yield* storage.list({ from: "events", where: { subjectId }, after: null, limit: batch })
    if (events.length === 0) return
    yield* eraseBatch(storage, workspaceId, events, events)
    // A recover that came in between made deliveries of events that are gone by now.
    yield* Effect.repeat(eraseBatch(storage, workspaceId, events, []), { until: (deliveries) => deliveries === 0 })
    yield* eraseEventsOf(storage, workspaceId, subjectId)
  })

/**
 * Deletes what hangs on these events, and some of them; answers how many deliveries there were. Where others changed
 * something meanwhile, it deletes nothing: the caller looks again.
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
        // A delivery and its job have one id.
        storage.read(Object.fromEntries(deliveries.map(({ id }) => [id, lookup("jobs", { id })] as const)))
      ],
      { concurrency: "unbounded" }
    )
    const gone = [
      ...keysOf("jobs", Object.values(jobs).flat()),
      ...keysOf("attempts", Object.values(attempts).flat()),
      ...keysOf("events", going)
    ]
    yield* storage.commit(
      changes(
        workspaceId,
        {
          expects: gone.map(({ id, table }) => expect(table, { id })),
          deletes: gone.map(({ id, table }) => remove(table, { id }))
        },
        {
          // An attempt that came since its delivery was read would outlive it.
          expects: deliveries.map(({ id, version }) => expect("deliveries", { id }, { version })),
          deletes: deliveries.map(({ id }) => remove("deliveries", { id }))
        }
      )
    )
    return deliveries.length
  })

const keysOf = <T extends "jobs" | "attempts" | "events">(table: T, rows: ReadonlyArray<{ readonly id: string }>) =>
  rows.map(({ id }) => ({ table, id }))
