import { Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Decider } from "../../kernel/Decider.js"
import type { Job } from "../../model/Job.js"
import type { Retention } from "../../model/Retention.js"
import { type CommitError, readById, type Storage } from "../../ports/Storage.js"
import { recoverSince } from "./recoverSince.js"

/**
 * Handler of the job that a new subscription makes: recovers the events since the time in the job's payload. If the
 * subscription was deleted or disabled meanwhile, it ends the job.
 */
export const recoverEndpoint = (
  storage: Storage,
  decider: Decider,
  retention: Retention,
  { payload, reference }: Job
): Effect.Effect<void, CommitError> =>
  Effect.flatMap(readById(storage, "endpoints", reference), (endpoint) => {
    if (endpoint === undefined) return Effect.void
    const decoded = { value: { since: payload?.since as number, cursor: null, limit: null }, problems: {} }
    return Effect.asVoid(recoverSince(storage, decider, retention)(endpoint, decoded)).pipe(
      Effect.catchTag("Refusal", (_refused: Refusal) => Effect.void)
    )
  })
