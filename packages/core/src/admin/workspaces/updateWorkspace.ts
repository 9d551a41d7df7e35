import { Either } from "effect"
import type { Workspace, WorkspaceStatus } from "../../access/Workspace.js"
import type { Decision } from "../../Decider.js"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { Instant } from "../../Instant.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { changes, expect, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { audited } from "../audited.js"
import { found } from "../found.js"
import { statusAction } from "../statusAction.js"
import type { WorkspacePatch } from "./WorkspaceInput.js"

/** Where a workspace may go from each status (decisions.md §14). */
const transitions: { readonly [from in WorkspaceStatus]: ReadonlyArray<WorkspaceStatus> } = {
  active: ["suspended", "unavailable"],
  suspended: ["active", "unavailable"],
  unavailable: ["active"]
}

/** `PATCH /workspaces/{id}`. A status it cannot move to, its own included, is 409 `invalid_tenant_transition`. */
export const updateWorkspace = (
  present: Workspace | undefined,
  draft: Draft<WorkspacePatch>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Workspace>, Refusal> =>
  Either.gen(function* () {
    const workspace = yield* found(present)
    const values = yield* complete(draft)
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
        inserts: actions.map((action) => audited({ ...entry, action }, now, ids))
      }),
      result: { ...workspace, ...values, version: version + 1 }
    }
  })
