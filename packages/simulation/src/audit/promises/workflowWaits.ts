import { type Call, type History, isCalm } from "../History.js"
import { type JsonObject, listAt, objectOf, textAt, timeAt, valueAt } from "../json.js"
import { possibleValues } from "../possibleValues.js"
import type { Violation } from "../Violation.js"
import { definitionsOf } from "../workflows.js"

/** In ms. */
const punctuality = 1_000

/**
 * Interval in ms at which a run of a suspended application looks again
 * (docs/reference/automations.md#suspended-workspace).
 */
const suspendedRetry = 60_000

/**
 * A wait of a workflow ends within a second after its time, and not before, if a worker runs
 * (docs/automations.md#what-happens-when, "a wait is over"). The time is the `until` of the pending action in an
 * earlier reading of the run, else the begin of the step and the duration in the definition.
 *
 * Not checked: waits until a time of the day that no administrator reads while they last; waits with a fault up to 60 s
 * before their end, or before the reading that shows them over, because no worker may have been there; and waits of an
 * application that may have been suspended in the minute before.
 */
export function* workflowWaits(history: History): Iterable<Violation> {
  const definitions = definitionsOf(history)
  const waits = new Map<string, Wait>()
  for (const { operation, path, request, response, responseEntry } of history.calls) {
    if (operation !== "GET /workflow-runs/{}" || response?.status !== 200) continue
    const data = valueAt(response.body, "data")
    const pending = objectOf(valueAt(data, "pending"))
    const until = textAt(pending, "type") === "wait" ? timeAt(pending, "until") : null
    if (until !== null) {
      waits.set(`${path[1]} ${pending?.position}`, { until, entry: responseEntry })
      if (
        request.at > until + punctuality &&
        isCalm(history, until, request.at) &&
        !mayBeSuspended(history, data, request.at)
      ) {
        yield violation(path[1], `waits until ${until} and still waits at ${request.at}`, response.at, [responseEntry])
      }
    }
    for (const step of listAt(data, "steps")) {
      const wait =
        textAt(step, "type") === "wait" && textAt(step, "outcome") !== "skipped"
          ? (waits.get(`${path[1]} ${valueAt(step, "position")}`) ??
            plannedWait(definitions, data, step, responseEntry))
          : undefined
      const endedAt = timeAt(step, "ended_at")
      if (wait === undefined || endedAt === null) continue
      const mayBeLate = !isCalm(history, wait.until, endedAt) || mayBeSuspended(history, data, endedAt)
      if (endedAt >= wait.until && (endedAt <= wait.until + punctuality || mayBeLate)) continue
      yield violation(path[1], `waits until ${wait.until} and continued at ${endedAt}`, response.at, [
        wait.entry,
        responseEntry
      ])
    }
  }
}

/** Whether the application of a run may have been suspended when the run last looked. */
const mayBeSuspended = ({ applicationsById }: History, run: unknown, at: number): boolean => {
  const changes = applicationsById.get(textAt(run, "application_id") ?? "")?.changes ?? []
  const statusIn = ({ request }: Call) => textAt(request.body, "status") ?? undefined
  return possibleValues("active", changes, statusIn, at - suspendedRetry - punctuality, at).has("suspended")
}

interface Wait {
  readonly until: number
  readonly entry: number
}

/** The wait of a step by the workflow's definition; undefined if that has no duration. */
const plannedWait = (
  definitions: ReadonlyMap<string, ReadonlyArray<JsonObject>>,
  run: unknown,
  step: unknown,
  entry: number
): Wait | undefined => {
  const action = definitions.get(textAt(run, "workflow_id") ?? "")?.[Number(valueAt(step, "position"))]
  const [, count, unit] = /^(\d+)([smhd])$/.exec(textAt(action, "for") ?? "") ?? []
  const startedAt = timeAt(step, "started_at")
  return startedAt === null || unit === undefined
    ? undefined
    : { until: startedAt + Number(count) * (unitMs[unit] ?? 0), entry }
}

const unitMs: { readonly [unit: string]: number } = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const violation = (
  run: string | undefined,
  problem: string,
  at: number,
  entries: ReadonlyArray<number>
): Violation => ({
  promise: "wait-ends-in-time",
  at,
  text: `Run ${run} ${problem}.`,
  entries
})
