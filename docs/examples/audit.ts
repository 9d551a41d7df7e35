import type { Parley, Subscription } from "@parley/embed"

/** Reports every event of a workspace, with its application. Call it at each start of the service. */
export const auditWorkspace = (
  parley: Parley,
  workspaceId: string,
  report: (line: string) => void
): Promise<Subscription> =>
  parley.on("audit", "*", ({ application_id, type }) => report(`${type} of ${application_id ?? "the workspace"}`), {
    workspace: workspaceId
  })
