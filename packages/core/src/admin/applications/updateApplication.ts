import { Either } from "effect"
import type { Application } from "../../access/Application.js"
import type { Connection } from "../../channels/Connection.js"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Instant } from "../../Instant.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { changeProblems } from "../../input/Patch.js"
import { changes, expect, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { type Endpoint, isActive } from "../../webhooks/Endpoint.js"
import { resumeEndpoint } from "../../webhooks/resumeEndpoint.js"
import { whyNotSent } from "../../webhooks/whyNotSent.js"
import { audited } from "../audited.js"
import { found } from "../found.js"
import { statusAction } from "../statusAction.js"
import type { ApplicationPatch } from "./ApplicationInput.js"
import { allowListProblems } from "./allowListProblems.js"

/** All that a change of an application may look at. */
export interface ApplicationWorld {
  readonly application: Application | undefined
  /** Those of its workspace. */
  readonly connections: ReadonlyArray<Connection>
  /** Its own. */
  readonly endpoints: ReadonlyArray<Endpoint>
}

/** `PATCH /applications/{id}`. Ending a suspension, or giving `webhooks.receive` back, lets the webhooks go on that waited for it. */
export const updateApplication = (
  world: ApplicationWorld,
  draft: Draft<ApplicationPatch>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Application>, Refusal> =>
  Either.gen(function* () {
    const application = yield* found(world.application)
    const { id, workspaceId, mode, version } = application
    const patch = yield* complete(
      draft,
      changeProblems({ workspace_id: [workspaceId, draft.value.workspaceId], mode: [mode, draft.value.mode] }),
      allowListProblems(draft.value.connectionIds ?? [], mode, world.connections)
    )
    const values: Partial<Application> = {
      ...(patch.name === undefined ? {} : { name: patch.name }),
      ...(patch.status === undefined ? {} : { status: patch.status }),
      ...(patch.scopes === undefined ? {} : { scopes: [...new Set(patch.scopes)] }),
      ...(patch.connectionIds === undefined ? {} : { connectionIds: [...new Set(patch.connectionIds)] }),
      ...patch.limits
    }
    if (Object.keys(values).length === 0) return { changes: null, result: application }
    const changed = { ...application, ...values, version: version + 1 }
    const receivesAgain = whyNotSent(application) !== null && whyNotSent(changed) === null
    const resumed = receivesAgain ? world.endpoints.filter(isActive) : []
    const entry = { workspaceId, applicationId: id, subjectId: id }
    return {
      changes: changes(workspaceId, {
        expects: [expect("applications", { id }, { version })],
        sets: [set("applications", { id }, values)],
        inserts: [
          ...actionsOf(application, values).map((action) => audited({ ...entry, action }, now, ids)),
          ...resumed.map((endpoint) => resumeEndpoint(endpoint, now, ids))
        ]
      }),
      result: changed
    }
  })

/** What the audit log calls the change: each of what decides about access by its own name. */
const actionsOf = ({ status }: Application, values: Partial<Application>): ReadonlyArray<string> => {
  const actions = [
    ...statusAction("application", status, values.status),
    ...(values.scopes === undefined ? [] : ["application.scopes_changed"]),
    ...(values.connectionIds === undefined ? [] : ["application.connections_changed"])
  ]
  return actions.length === 0 ? ["application.updated"] : actions
}
