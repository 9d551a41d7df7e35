import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { ActingIds } from "../../kernel/actor.js"
import { auditRow } from "../../kernel/auditRow.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Application } from "../../model/Application.js"
import type { Endpoint } from "../../model/Endpoint.js"
import type { Instant } from "../../model/Instant.js"
import { changes, expect, row } from "../../ports/Changes.js"
import type { SecretBox } from "../../ports/SecretBox.js"
import type { EndpointInput } from "./EndpointInput.js"
import { catchUpJob } from "./recoveryJob.js"
import { requireWebhookScope } from "./requireWebhookScope.js"
import { signingSecret } from "./signingSecret.js"

/** An endpoint with its URL and its signing secret in clear text. The secret is shown once. */
export interface EndpointWithSecret {
  readonly endpoint: Endpoint
  readonly secret: string
}

/** `POST /applications/{id}/webhook-endpoints`. `urlRefusal`: why the URL is refused, or null. */
export const createEndpoint = (
  present: Application | undefined,
  command: {
    readonly decoded: PartialDecode<EndpointInput>
    readonly urlRefusal: string | null
    readonly seal: SecretBox["seal"]
  },
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<EndpointWithSecret>, Refusal> =>
  Either.gen(function* () {
    const application = yield* Either.flatMap(orNotFound(present), requireWebhookScope)
    const input = yield* complete(command.decoded, command.urlRefusal === null ? {} : { url: [command.urlRefusal] })
    const { id: applicationId, workspaceId, version } = application
    const secret = input.secret ?? signingSecret(ids)
    const endpoint: Endpoint = {
      ...input,
      events: [...new Set(input.events)],
      id: ids.next(now),
      workspaceId,
      applicationId,
      secret: command.seal(secret),
      status: "active",
      consecutiveFailures: 0,
      ordered: null,
      createdAt: now,
      version: 1
    }
    const entry = { workspaceId, applicationId, action: "webhook_endpoint.created", subjectId: endpoint.id }
    return {
      changes: changes(workspaceId, {
        expects: [expect("applications", { id: applicationId }, { version })],
        inserts: [
          row("endpoints", { ...endpoint, url: command.seal(endpoint.url) }),
          row("jobs", catchUpJob(endpoint, now, ids)),
          auditRow(entry, now, ids)
        ]
      }),
      result: { endpoint, secret }
    }
  })
