import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { ActingIds } from "../../kernel/actor.js"
import { auditRow } from "../../kernel/auditRow.js"
import type { Decision } from "../../kernel/Decider.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import { applicationOf, type Endpoint } from "../../model/Endpoint.js"
import type { Instant } from "../../model/Instant.js"
import { changes, expect, set } from "../../ports/Changes.js"
import { resumeEndpoint } from "../../resources/events/resumeEndpoint.js"

/**
 * `DELETE /webhook-endpoints/{id}`: the endpoint receives nothing more and is no longer listed. Its deliveries stay;
 * pending ones fail when they are due.
 */
export const deleteEndpoint = (
  present: Endpoint | undefined,
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<Endpoint>, Refusal> =>
  Either.map(orNotFound(present), (endpoint) => {
    const { id, workspaceId, version } = endpoint
    const entry = {
      workspaceId,
      applicationId: applicationOf(endpoint),
      action: "webhook_endpoint.deleted",
      subjectId: id
    }
    return {
      changes: changes(workspaceId, {
        expects: [expect("endpoints", { id }, { version })],
        sets: [set("endpoints", { id }, { status: "deleted" })],
        inserts: [auditRow(entry, now, ids), resumeEndpoint(endpoint, now, ids)]
      }),
      result: { ...endpoint, status: "deleted", version: version + 1 }
    }
  })
