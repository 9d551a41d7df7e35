import { Either } from "effect"
import type { Application } from "../../access/Application.js"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Instant } from "../../Instant.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { changes, expect, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { SecretBox } from "../../ports/SecretBox.js"
import type { Endpoint } from "../../webhooks/Endpoint.js"
import { audited } from "../audited.js"
import { found } from "../found.js"
import type { EndpointInput } from "./EndpointInput.js"
import { mayReceive } from "./mayReceive.js"
import { signingSecret } from "./signingSecret.js"

/** An endpoint, and its secret as it is shown once. */
export interface EndpointWithSecret {
  readonly endpoint: Endpoint
  readonly secret: string
}

/** `POST /applications/{id}/webhook-endpoints`. `urlRefusal`: why the URL may not be registered, or null. */
export const createEndpoint = (
  present: Application | undefined,
  command: {
    readonly draft: Draft<EndpointInput>
    readonly urlRefusal: string | null
    readonly seal: SecretBox["seal"]
  },
  now: Instant,
  ids: Ids
): Either.Either<Decision<EndpointWithSecret>, Refusal> =>
  Either.gen(function* () {
    const application = yield* Either.flatMap(found(present), mayReceive)
    const input = yield* complete(command.draft, command.urlRefusal === null ? {} : { url: [command.urlRefusal] })
    const { id: applicationId, workspaceId, version } = application
    const secret = signingSecret(ids)
    const endpoint: Endpoint = {
      ...input,
      events: [...new Set(input.events)],
      id: ids.next(now),
      workspaceId,
      applicationId,
      secret: command.seal(secret),
      status: "active",
      consecutiveFailures: 0,
      createdAt: now,
      version: 1
    }
    const entry = { workspaceId, applicationId, action: "webhook_endpoint.created", subjectId: endpoint.id }
    return {
      changes: changes(workspaceId, {
        expects: [expect("applications", { id: applicationId }, { version })],
        inserts: [row("endpoints", endpoint), audited(entry, now, ids)]
      }),
      result: { endpoint, secret }
    }
  })
