import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { ActingIds } from "../../kernel/actor.js"
import { auditRow } from "../../kernel/auditRow.js"
import type { Decision } from "../../kernel/Decider.js"
import { differences } from "../../kernel/differences.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { changeProblems, requireExpected } from "../../kernel/input/Patch.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import { statusAction } from "../../kernel/statusAction.js"
import type { Application } from "../../model/Application.js"
import type { Connection } from "../../model/Connection.js"
import type { Endpoint } from "../../model/Endpoint.js"
import type { Instant } from "../../model/Instant.js"
import { changes, expect, set } from "../../ports/Changes.js"
import { resumeEndpoint } from "../events/resumeEndpoint.js"
import { webhookBlocker } from "../events/webhookBlocker.js"
import type { ApplicationPatch } from "./ApplicationInput.js"
import { allowListProblems } from "./allowListProblems.js"

/** What a change of an application may read. */
export interface ApplicationWorld {
  readonly application: Application | undefined
  /** All connections of its workspace. */
  readonly connections: ReadonlyArray<Connection>
  /** All endpoints of the application. */
  readonly endpoints: ReadonlyArray<Endpoint>
}

/**
 * `PATCH /applications/{id}`. If the change ends a suspension or grants `webhooks.receive` again, it adds jobs that
 * resume the waiting webhook deliveries.
 */
export const updateApplication = (
  world: ApplicationWorld,
  decoded: PartialDecode<ApplicationPatch>,
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<Application>, Refusal> =>
  Either.gen(function* () {
    const application = yield* orNotFound(world.application)
    const { id, workspaceId, mode, version } = application
    yield* requireExpected(decoded, application)
    const patch = yield* complete(
      decoded,
      changeProblems({ workspace_id: [workspaceId, decoded.value.workspaceId], mode: [mode, decoded.value.mode] }),
      allowListProblems(decoded.value.connectionIds ?? [], mode, world.connections)
    )
    const values = differences(application, {
      ...application,
      ...(patch.name === undefined ? {} : { name: patch.name }),
      ...(patch.status === undefined ? {} : { status: patch.status }),
      ...(patch.scopes === undefined ? {} : { scopes: [...new Set(patch.scopes)] }),
      ...(patch.connectionIds === undefined ? {} : { connectionIds: [...new Set(patch.connectionIds)] }),
      ...patch.limits
    })
    if (Object.keys(values).length === 0) return { changes: null, result: application }
    const changed = { ...application, ...values, version: version + 1 }
    const receivesAgain = webhookBlocker(application) !== null && webhookBlocker(changed) === null
    // Disabled ones too: they may be enabled meanwhile, and a test waits for the application only.
    const resumed = receivesAgain ? world.endpoints.filter(({ status }) => status !== "deleted") : []
    const entry = { workspaceId, applicationId: id, subjectId: id }
    return {
      changes: changes(workspaceId, {
        expects: [expect("applications", { id }, { version })],
        sets: [set("applications", { id }, values)],
        inserts: [
          ...actionsOf(application, values).map((action) => auditRow({ ...entry, action }, now, ids)),
          ...resumed.map((endpoint) => resumeEndpoint(endpoint, now, ids))
        ]
      }),
      result: changed
    }
  })

/** The audit actions of a change: one for each value that affects access, else `application.updated`. */
const actionsOf = ({ status }: Application, values: Partial<Application>): ReadonlyArray<string> => {
  const actions = [
    ...statusAction("application", status, values.status),
    ...(values.scopes === undefined ? [] : ["application.scopes_changed"]),
    ...(values.connectionIds === undefined ? [] : ["application.connections_changed"])
  ]
  return actions.length === 0 ? ["application.updated"] : actions
}
