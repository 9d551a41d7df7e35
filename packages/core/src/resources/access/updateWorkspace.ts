import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { ActingIds } from "../../kernel/actor.js"
import { auditRow } from "../../kernel/auditRow.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import { statusAction } from "../../kernel/statusAction.js"
import type { Instant } from "../../model/Instant.js"
import type { Workspace, WorkspaceStatus } from "../../model/Workspace.js"
import { changes, expect, set } from "../../ports/Changes.js"
import type { WorkspacePatch } from "./WorkspaceInput.js"

/** Allowed status changes (docs/reference/administration.md#workspace-status). */
const transitions: { readonly [from in WorkspaceStatus]: ReadonlyArray<WorkspaceStatus> } = {
  active: ["suspended", "unavailable"],
  suspended: ["active", "unavailable"],
  unavailable: ["active"]
}

/**
 * `PATCH /workspaces/{id}`. Fails with `invalid_tenant_transition` for a status change that is not allowed, which
 * includes the present status.
 */
export const updateWorkspace = (
  present: Workspace | undefined,
  decoded: PartialDecode<WorkspacePatch>,
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<Workspace>, Refusal> =>
  Either.gen(function* () {
    const workspace = yield* orNotFound(present)
    const values = yield* complete(decoded)
    if (values.status !== undefined && !transitions[workspace.status].includes(values.status)) {
      return yield* Either.left(
        refuse(
          "invalid_tenant_transition",
          { from: workspace.status, to: values.status },
          `A workspace that is ${workspace.status} cannot become ${values.status}.`
        )
      )
    }
    if (Object.keys(values).length === 0) return { changes: null, result: workspace }
    const { id, status, version } = workspace
    const entry = { workspaceId: id, applicationId: null, subjectId: id }
    const actions = statusAction("workspace", status, values.status)
    return {
      changes: changes(id, {
        expects: [expect("workspaces", { id }, { version })],
        sets: [set("workspaces", { id }, values)],
        inserts: actions.map((action) => auditRow({ ...entry, action }, now, ids))
      }),
      result: { ...workspace, ...values, version: version + 1 }
    }
  })
