import { Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Decider } from "../../kernel/Decider.js"
import { isActive, isOfWorkspace } from "../../model/Endpoint.js"
import { minute } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import type { Retention } from "../../model/Retention.js"
import { type CommitError, readById, type Storage } from "../../ports/Storage.js"
import { webhookBlocker } from "../../resources/events/webhookBlocker.js"
import { recoverSince } from "./recoverSince.js"
import { isSecondRun, secondRun, type TaskResult } from "./TaskResult.js"

/**
 * Handler of the jobs of `recoveryJob.ts`: recovers the events since the time in the job's payload. Nothing is left to
 * do if the endpoint was deleted or disabled meanwhile.
 *
 * The first run, of a subscription that asked for earlier events, is repeated while the application receives no
 * webhooks, because it is suspended or lacks the scope. After a minute follows the second run, the only one of other
 * endpoints: a commit that was decided before the endpoint existed has no delivery for it, and may be written after the
 * first run. It does not wait for the application, whose endpoints do not receive what happens meanwhile.
 */
export const recoverEndpoint = (
  storage: Storage,
  decider: Decider,
  retention: Retention,
  { payload, reference }: Job
): Effect.Effect<TaskResult, Refusal | CommitError> =>
  Effect.gen(function* () {
    const endpoint = yield* readById(storage, "endpoints", reference)
    if (endpoint === undefined || !isActive(endpoint)) return "done"
    if (!isOfWorkspace(endpoint)) {
      const application = yield* readById(storage, "applications", endpoint.applicationId)
      if (application === undefined) return "done"
      if (webhookBlocker(application) !== null) return isSecondRun(payload) ? "done" : { again: payload }
    }
    const since = payload?.since as number
    const decoded = { value: { since, cursor: null, limit: null }, problems: {} }
    yield* recoverSince(storage, decider, retention)(endpoint, decoded)
    if (isSecondRun(payload)) return "done"
    return { again: { ...secondRun(payload), since: Math.max(since, endpoint.createdAt - minute) } }
  })
