import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { ActingIds } from "../../kernel/actor.js"
import { auditRow } from "../../kernel/auditRow.js"
import type { Decision } from "../../kernel/Decider.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import { applicationOf, type Endpoint } from "../../model/Endpoint.js"
import type { Instant } from "../../model/Instant.js"
import { changes, expect, set } from "../../ports/Changes.js"
import type { SecretBox } from "../../ports/SecretBox.js"
import type { EndpointWithSecret } from "./createEndpoint.js"
import { signingSecret } from "./signingSecret.js"

/**
 * `POST /webhook-endpoints/{id}/rotate-secret`: the old secret stops working at once
 * (docs/reference/webhooks.md#signing-secret).
 */
export const rotateSecret = (
  present: Endpoint | undefined,
  seal: SecretBox["seal"],
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<EndpointWithSecret>, Refusal> =>
  Either.map(orNotFound(present), (endpoint) => {
    const { id, workspaceId, version } = endpoint
    const secret = signingSecret(ids)
    const sealed = seal(secret)
    const entry = {
      workspaceId,
      applicationId: applicationOf(endpoint),
      action: "webhook_endpoint.secret_rotated",
      subjectId: id
    }
    return {
      changes: changes(workspaceId, {
        expects: [expect("endpoints", { id }, { version })],
        sets: [set("endpoints", { id }, { secret: sealed })],
        inserts: [auditRow(entry, now, ids)]
      }),
      result: { endpoint: { ...endpoint, secret: sealed, version: version + 1 }, secret }
    }
  })
