import type { EndpointHistory, History } from "../History.js"
import { listAt, textAt, timeAt, valueAt } from "../json.js"
import { servedUntil } from "../serving.js"
import { settling } from "../tolerances.js"
import type { Violation } from "../Violation.js"

const failuresThatPark = 20

/**
 * Every job ends, waits for a time, or is parked: in the list of jobs after the quiet, no job has been due for longer
 * than 60 s (docs/reference/queue.md#job-life, docs/reference/administration.md#jobs). A job is parked after 20
 * failures in a row, to which an unavailable storage does not count (docs/reference/queue.md#parked-jobs).
 *
 * Not checked: jobs of subscriptions that no process handles; journals in which no administrator lists jobs after the
 * quiet; whether a job that waits has a good reason.
 */
export function* jobs(history: History): Iterable<Violation> {
  const { quiet } = history
  if (quiet === null) return
  for (const { entry, operation, request, response, responseEntry } of history.calls) {
    if (operation !== "GET /jobs" || response?.status !== 200 || entry < quiet.entry) continue
    if (request.at < quiet.at + settling) continue
    for (const job of listAt(response.body, "data")) {
      const state = textAt(job, "state")
      const failures = Number(valueAt(job, "failure", "count"))
      if (state === "parked" && failures < failuresThatPark) {
        yield {
          promise: "job-is-parked-after-20-failures",
          at: response.at,
          text: `Job ${textAt(job, "id")} is parked after ${failures} failures: ${textAt(job, "failure", "error")}.`,
          entries: [responseEntry]
        }
      }
      const dueAt = timeAt(job, "next_run_at")
      const owners = textAt(job, "lane") === "subscriptions" ? ownersOf(history, textAt(job, "subject_id") ?? "") : []
      const isUnserved = owners.length > 0 && owners.every((endpoint) => servedUntil(endpoint) < request.at)
      if (state === "due" && isUnserved) continue
      const isStuck = state === "due" ? (dueAt ?? 0) < request.at - settling : state === "waiting" && dueAt === null
      if (!isStuck) continue
      yield {
        promise: "jobs-end",
        at: response.at,
        text: `Job ${textAt(job, "id")} (${textAt(job, "lane")}) is ${state} since ${textAt(job, "next_run_at")}, and the quiet began at ${quiet.at}.`,
        entries: [quiet.entry, responseEntry]
      }
    }
  }
}

/** The subscription with this id; if it is unknown, those whose processes ended before they got an id. */
const ownersOf = ({ endpoints }: History, id: string): ReadonlyArray<EndpointHistory> => {
  const known = endpoints.get(id)
  if (known !== undefined) return [known]
  return [...endpoints.values()].filter(
    ({ id, subscription }) => subscription !== null && id.startsWith("subscription:")
  )
}
