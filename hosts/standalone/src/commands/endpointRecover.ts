import { Options } from "@effect/cli"
import { Clock, Effect } from "effect"
import type { AdminClient } from "./AdminClient.js"
import type { CommandFailed } from "./CommandFailed.js"
import { argument, leaf } from "./leaf.js"
import { printOne } from "./output.js"
import { type Tell, withProgress } from "./progress.js"
import { cell } from "./table.js"

/** How many events one call looks at: it takes about a second. */
const eventsPerCall = 1_000

/** Recovers from this cursor on; answers how many deliveries go out in all, and how far back it looked. */
const recovered = (
  client: AdminClient,
  tell: Tell,
  path: string,
  since: string,
  cursor: string | null,
  before: number
): Effect.Effect<{ readonly deliveries: number; readonly reached: unknown }, CommandFailed> =>
  Effect.gen(function* () {
    const step = yield* client.call("POST", path, { since, cursor, limit: eventsPerCall })
    const deliveries = before + Number(step.deliveries)
    yield* tell(`${deliveries} to deliver; looked back to ${cell(step.reached)}`)
    return typeof step.cursor === "string"
      ? yield* recovered(client, tell, path, since, step.cursor, deliveries)
      : { deliveries, reached: step.reached }
  })

const units: { readonly [unit: string]: number } = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A time as it was typed, or the time that long ago: `90m`, `6h`, `2d`. */
export const sinceOf = (text: string, now: number): string => {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const length = units[unit ?? ""]
  return length === undefined ? text : new Date(now - Number(count) * length).toISOString()
}

/** Sends what an endpoint missed. */
export const recover = leaf(
  "recover",
  "Deliver every event since a time that the endpoint lists and did not get; doing it again does no harm. Example: parley endpoint recover <id> --since 6h Example: parley endpoint recover <id> --since 2026-05-04T08:30:00Z",
  {
    id: argument("id", "The endpoint's id, as parley endpoint list shows it"),
    since: Options.text("since").pipe(
      Options.withDescription("A time such as 2026-05-04T08:30:00Z, or how long ago: 90m, 6h, 2d")
    )
  },
  ({ id, since }, { client, json }) =>
    Effect.gen(function* () {
      const from = sinceOf(since, yield* Clock.currentTimeMillis)
      const path = `/webhook-endpoints/${encodeURIComponent(id)}/recover`
      const done = yield* withProgress(json, (tell) => recovered(client, tell, path, from, null, 0))
      yield* printOne(json, { since: from, ...done })
    })
)
