import { Either } from "effect"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Instant } from "../../Instant.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { changes, expect, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { type Endpoint, isActive } from "../../webhooks/Endpoint.js"
import { resumeEndpoint } from "../../webhooks/resumeEndpoint.js"
import { audited } from "../audited.js"
import { found } from "../found.js"
import { statusAction } from "../statusAction.js"
import type { EndpointPatch } from "./EndpointInput.js"

/**
 * `PATCH /webhook-endpoints/{id}`. Making it `active` forgets its failures and lets waiting deliveries go on (decisions.md
 * §12), also where only its failures had disabled it.
 */
export const updateEndpoint = (
  present: Endpoint | undefined,
  command: { readonly draft: Draft<EndpointPatch>; readonly urlRefusal: string | null },
  now: Instant,
  ids: Ids
): Either.Either<Decision<Endpoint>, Refusal> =>
  Either.gen(function* () {
    const endpoint = yield* found(present)
    const { events, ...patch } = yield* complete(
      command.draft,
      command.urlRefusal === null ? {} : { url: [command.urlRefusal] }
    )
    const values: Partial<Endpoint> = {
      ...patch,
      ...(events === undefined ? {} : { events: [...new Set(events)] }),
      ...(patch.status === "active" ? { consecutiveFailures: 0 } : {})
    }
    if (Object.keys(values).length === 0) return { changes: null, result: endpoint }
    const { id, applicationId, version, workspaceId } = endpoint
    const entry = { workspaceId, applicationId, subjectId: id }
    const actions = [
      ...statusAction("webhook_endpoint", isActive(endpoint) ? "active" : "disabled", patch.status),
      // where an application's events go
      ...(patch.url === undefined ? [] : ["webhook_endpoint.url_changed"])
    ]
    return {
      changes: changes(workspaceId, {
        expects: [expect("endpoints", { id }, { version })],
        sets: [set("endpoints", { id }, values)],
        inserts: [
          ...actions.map((action) => audited({ ...entry, action }, now, ids)),
          ...(patch.status === "active" ? [resumeEndpoint(endpoint, now, ids)] : [])
        ]
      }),
      result: { ...endpoint, ...values, version: version + 1 }
    }
  })
