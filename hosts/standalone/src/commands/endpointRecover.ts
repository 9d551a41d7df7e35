import { Effect } from "effect"
import type { AdminClient } from "./AdminClient.js"
import { apiCommand, argument } from "./apiCommand.js"
import type { CommandFailed } from "./CommandFailed.js"
import { printOne } from "./output.js"
import { type ReportProgress, withProgress } from "./progress.js"
import { requiredSince } from "./since.js"
import { cell } from "./table.js"

/** The number of events that one call examines, in about a second. */
const eventsPerCall = 1_000

/** Recovers from this cursor. Returns the total number of deliveries, and the earliest time examined. */
const recovered = (
  client: AdminClient,
  report: ReportProgress,
  path: string,
  since: string,
  cursor: string | null,
  before: number
): Effect.Effect<{ readonly deliveries: number; readonly reached: unknown }, CommandFailed> =>
  Effect.gen(function* () {
    const step = yield* client.call("POST", path, { since, cursor, limit: eventsPerCall })
    const deliveries = before + Number(step.deliveries)
    yield* report(`${deliveries} to deliver; examined back to ${cell(step.reached)}`)
    return typeof step.cursor === "string"
      ? yield* recovered(client, report, path, since, step.cursor, deliveries)
      : { deliveries, reached: step.reached }
  })

/** Delivers the events that an endpoint missed. */
export const recover = apiCommand(
  "recover",
  "Deliver all events since a time that the endpoint subscribes to and did not get; safe to repeat. Example: parley endpoint recover <id> --since 6h Example: parley endpoint recover <id> --since 2026-05-04T08:30:00Z",
  {
    id: argument("id", "The endpoint's id, from parley endpoint list"),
    since: requiredSince()
  },
  ({ id, since }, { client, json }) =>
    Effect.gen(function* () {
      const path = `/webhook-endpoints/${encodeURIComponent(id)}/recover`
      const done = yield* withProgress(json, (report) => recovered(client, report, path, since, null, 0))
      yield* printOne(json, { since, ...done })
    })
)
