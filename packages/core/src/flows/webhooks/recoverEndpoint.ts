import { Effect } from "effect"
import type { Decider } from "../../kernel/Decider.js"
import { isActive } from "../../model/Endpoint.js"
import type { Job } from "../../model/Job.js"
import type { Retention } from "../../model/Retention.js"
import { type CommitError, readById, type Storage } from "../../ports/Storage.js"
import { recoverSince } from "./recoverSince.js"

/**
 * Handler of the job that a new subscription makes: recovers the events since the time in the job's payload. Returns
 * `later` if the application receives no webhooks now, because it is suspended or lacks the scope: its deliveries wait
 * too. Nothing is left to do if the subscription was deleted or disabled meanwhile.
 */
export const recoverEndpoint = (
  storage: Storage,
  decider: Decider,
  retention: Retention,
  { payload, reference }: Job
): Effect.Effect<"done" | "later", CommitError> =>
  Effect.flatMap(readById(storage, "endpoints", reference), (endpoint) => {
    if (endpoint === undefined || !isActive(endpoint)) return Effect.succeed("done" as const)
    const decoded = { value: { since: payload?.since as number, cursor: null, limit: null }, problems: {} }
    return recoverSince(
      storage,
      decider,
      retention
    )(endpoint, decoded).pipe(
      Effect.as("done" as const),
      Effect.catchTag("Refusal", () => Effect.succeed("later" as const))
    )
  })
