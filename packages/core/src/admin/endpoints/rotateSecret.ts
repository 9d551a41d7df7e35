import { Either } from "effect"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Instant } from "../../Instant.js"
import { changes, expect, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { SecretBox } from "../../ports/SecretBox.js"
import type { Endpoint } from "../../webhooks/Endpoint.js"
import { audited } from "../audited.js"
import { found } from "../found.js"
import type { EndpointWithSecret } from "./createEndpoint.js"
import { signingSecret } from "./signingSecret.js"

/** `POST /webhook-endpoints/{id}/rotate-secret`: the old secret stops working at once (spec, Subscribing). */
export const rotateSecret = (
  present: Endpoint | undefined,
  seal: SecretBox["seal"],
  now: Instant,
  ids: Ids
): Either.Either<Decision<EndpointWithSecret>, Refusal> =>
  Either.map(found(present), (endpoint) => {
    const { id, applicationId, workspaceId, version } = endpoint
    const secret = signingSecret(ids)
    const sealed = seal(secret)
    const entry = { workspaceId, applicationId, action: "webhook_endpoint.secret_rotated", subjectId: id }
    return {
      changes: changes(workspaceId, {
        expects: [expect("endpoints", { id }, { version })],
        sets: [set("endpoints", { id }, { secret: sealed })],
        inserts: [audited(entry, now, ids)]
      }),
      result: { endpoint: { ...endpoint, secret: sealed, version: version + 1 }, secret }
    }
  })
