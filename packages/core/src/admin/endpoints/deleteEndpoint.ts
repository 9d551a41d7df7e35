import { Either } from "effect"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Instant } from "../../Instant.js"
import { changes, expect, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { Endpoint } from "../../webhooks/Endpoint.js"
import { resumeEndpoint } from "../../webhooks/resumeEndpoint.js"
import { audited } from "../audited.js"
import { found } from "../found.js"

/** `DELETE /webhook-endpoints/{id}`: nothing is sent to it any more, and it cannot be found. Its deliveries can; those that wait fail. */
export const deleteEndpoint = (
  present: Endpoint | undefined,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Endpoint>, Refusal> =>
  Either.map(found(present), (endpoint) => {
    const { id, applicationId, workspaceId, version } = endpoint
    const entry = { workspaceId, applicationId, action: "webhook_endpoint.deleted", subjectId: id }
    return {
      changes: changes(workspaceId, {
        expects: [expect("endpoints", { id }, { version })],
        sets: [set("endpoints", { id }, { status: "deleted" })],
        inserts: [audited(entry, now, ids), resumeEndpoint(endpoint, now, ids)]
      }),
      result: { ...endpoint, status: "deleted", version: version + 1 }
    }
  })
