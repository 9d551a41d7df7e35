import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { ActingIds } from "../../kernel/actor.js"
import { auditRow } from "../../kernel/auditRow.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import { statusAction } from "../../kernel/statusAction.js"
import { applicationOf, type Endpoint, isActive, isSubscription } from "../../model/Endpoint.js"
import type { Instant } from "../../model/Instant.js"
import { changes, expect, row, set } from "../../ports/Changes.js"
import type { SecretBox } from "../../ports/SecretBox.js"
import { resumeEndpoint } from "../../resources/events/resumeEndpoint.js"
import type { EndpointPatch } from "./EndpointInput.js"
import { addsTypes, catchUpJob } from "./recoveryJob.js"

const subscriptionProblem = "cannot be changed: a function of your service receives the events of this subscription"

/**
 * `PATCH /webhook-endpoints/{id}`. Status `active` resets the failure counter and resumes pending deliveries
 * (docs/reference/webhooks.md#enabling-an-endpoint), also for an endpoint that its failures disabled. The URL of
 * `present` and of the result is in clear text.
 */
export const updateEndpoint = (
  present: Endpoint | undefined,
  command: {
    readonly decoded: PartialDecode<EndpointPatch>
    readonly urlRefusal: string | null
    readonly seal: SecretBox["seal"]
  },
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<Endpoint>, Refusal> =>
  Either.gen(function* () {
    const endpoint = yield* orNotFound(present)
    const { events, secret, ...patch } = yield* complete(
      command.decoded,
      command.urlRefusal === null ? {} : { url: [command.urlRefusal] },
      command.decoded.value.url !== undefined && isSubscription(endpoint) ? { url: [subscriptionProblem] } : {}
    )
    const values: Partial<Endpoint> = {
      ...patch,
      ...(events === undefined ? {} : { events: [...new Set(events)] }),
      ...(secret === undefined ? {} : { secret: command.seal(secret) }),
      ...(patch.status === "active" ? { consecutiveFailures: 0 } : {})
    }
    if (Object.keys(values).length === 0) return { changes: null, result: endpoint }
    const { id, version, workspaceId } = endpoint
    const receivesMore =
      (patch.status === "active" && !isActive(endpoint)) || (events !== undefined && addsTypes(endpoint.events, events))
    const entry = { workspaceId, applicationId: applicationOf(endpoint), subjectId: id }
    const actions = [
      ...statusAction("webhook_endpoint", isActive(endpoint) ? "active" : "disabled", patch.status),
      // Changes where an application's events are sent.
      ...(patch.url === undefined ? [] : ["webhook_endpoint.url_changed"]),
      ...(secret === undefined ? [] : ["webhook_endpoint.secret_rotated"])
    ]
    return {
      changes: changes(workspaceId, {
        expects: [expect("endpoints", { id }, { version })],
        sets: [
          set("endpoints", { id }, patch.url === undefined ? values : { ...values, url: command.seal(patch.url) })
        ],
        inserts: [
          ...actions.map((action) => auditRow({ ...entry, action }, now, ids)),
          ...(patch.status === "active" ? [resumeEndpoint(endpoint, now, ids)] : []),
          ...(receivesMore ? [row("jobs", catchUpJob(endpoint, now, ids))] : [])
        ]
      }),
      result: { ...endpoint, ...values, version: version + 1 }
    }
  })
