import { Context, Effect } from "effect"
import type { Event } from "../../model/Event.js"
import { Storage } from "../../ports/Storage.js"
import { type Recorder, recorder } from "./recorder.js"

/** Messages that were accepted and that failed, by application. */
const messages: Recorder<["application", "outcome"]> = recorder({
  name: "parley_application_messages_total",
  description: "Messages of an application that were accepted, and that failed",
  labels: ["application", "outcome"]
})

/** Webhook attempts by application. `outcome`: as of `parley_webhook_attempt_duration_seconds`. */
const attempts: Recorder<["application", "outcome"]> = recorder({
  name: "parley_application_webhook_attempts_total",
  description: "Webhook attempts to the endpoints of an application",
  labels: ["application", "outcome"]
})

/** Label value of all applications without one of their own. */
const otherApplications = "other"

/**
 * The label values of applications: the first `limit` of them that a process meets have their id, all later ones
 * `other` (docs/decisions/0016-logs-and-metrics.md). A value never changes, so no series jumps.
 */
export const makeApplicationLabels = (limit: number): ((applicationId: string) => string) => {
  const own = new Set<string>()
  return (applicationId) => {
    if (!own.has(applicationId) && own.size < limit) own.add(applicationId)
    return own.has(applicationId) ? applicationId : otherApplications
  }
}

/** Counts by application; does nothing by default. */
export class ApplicationMetrics extends Context.Reference<ApplicationMetrics>()("@parley/core/ApplicationMetrics", {
  defaultValue: (): {
    /** Counts a webhook attempt. */
    readonly attempted: (applicationId: string, outcome: string) => void
    /** Counts the messages that events of a commit report. */
    readonly committed: ((event: Event) => void) | null
  } => ({ attempted: () => undefined, committed: null })
}) {}

const outcomes: { readonly [type: string]: string } = { "message.queued": "accepted", "message.failed": "failed" }

/** Counts with a label of their own for the first `limit` applications. 0: counts nothing. */
export const make = (limit: number): typeof ApplicationMetrics.Service => {
  if (limit === 0) return ApplicationMetrics.defaultValue()
  const labelOf = makeApplicationLabels(limit)
  return {
    attempted: (applicationId, outcome) => attempts(1, labelOf(applicationId), outcome),
    committed: ({ applicationId, type }) => {
      const outcome = outcomes[type]
      if (outcome !== undefined && applicationId !== null) messages(1, labelOf(applicationId), outcome)
    }
  }
}

/** The storage, with commits that count the messages of their events: each state change of a message has an event. */
export const countedCommits = Effect.map(
  Effect.all([Storage, ApplicationMetrics]),
  ([storage, { committed }]): Storage =>
    committed === null
      ? storage
      : {
          ...storage,
          commit: (changes) =>
            Effect.tap(storage.commit(changes), ({ _tag }) =>
              Effect.sync(() => {
                if (_tag !== "Committed") return
                for (const { row, table } of changes.inserts) if (table === "events") committed(row)
              })
            )
        }
)
