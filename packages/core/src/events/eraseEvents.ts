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
  Effect.gen(function* () {
    const events = yield* storage.list({
      from: "events",
      where: { subjectId: subjectIds },
      after: null,
      limit: batch
    })
    if (events.length === 0) return
    yield* eraseBatch(storage, workspaceId, events)
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
    const gone = [
      ...keysOf("jobs", Object.values(jobs).flat()),
      ...keysOf("attempts", Object.values(attempts).flat()),
      ...keysOf("events", events)
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
  })

const keysOf = <T extends "jobs" | "attempts" | "events">(table: T, rows: ReadonlyArray<{ readonly id: string }>) =>
  rows.map(({ id }) => ({ table, id }))
