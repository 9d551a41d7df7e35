import { Effect } from "effect"
import { changes, expect, remove } from "../ports/Changes.js"
import { type CommitError, lookup, type Storage } from "../ports/Storage.js"
import type { Event } from "./Event.js"

type Erasing = Pick<Storage, "commit" | "read">

/** How many events go in one commit, with all that hangs on them. */
const batch = 25

/** Deletes the events about these subjects with their deliveries, attempts and jobs, in batches, until there are none. */
export const eraseEvents = (
  storage: Erasing,
  workspaceId: string,
  subjectIds: ReadonlyArray<string>
): Effect.Effect<void, CommitError> =>
  Effect.gen(function* () {
    const found = yield* storage.read(
      Object.fromEntries(subjectIds.map((subjectId) => [subjectId, lookup("events", { subjectId })] as const))
    )
    const events = Object.values(found).flat()
    if (events.length === 0) return
    for (let at = 0; at < events.length; at += batch) {
      yield* eraseBatch(storage, workspaceId, events.slice(at, at + batch))
    }
    yield* eraseEvents(storage, workspaceId, subjectIds)
  })

/** Where others changed something meanwhile, nothing: the caller looks again. */
const eraseBatch = (
  storage: Erasing,
  workspaceId: string,
  events: ReadonlyArray<Event>
): Effect.Effect<void, CommitError> =>
  Effect.gen(function* () {
    const deliveriesFound = yield* storage.read(
      Object.fromEntries(events.map(({ id }) => [id, lookup("deliveries", { eventId: id })] as const))
    )
    const deliveries = Object.values(deliveriesFound).flat()
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
    const keysOf = <T extends "jobs" | "attempts" | "deliveries" | "events">(
      table: T,
      rows: ReadonlyArray<{ readonly id: string }>
    ) => rows.map(({ id }) => ({ table, id }))
    const gone = [
      ...keysOf("jobs", Object.values(jobs).flat()),
      ...keysOf("attempts", Object.values(attempts).flat()),
      ...keysOf("deliveries", deliveries),
      ...keysOf("events", events)
    ]
    yield* storage.commit(
      changes(workspaceId, {
        expects: gone.map(({ id, table }) => expect(table, { id })),
        deletes: gone.map(({ id, table }) => remove(table, { id }))
      })
    )
  })
