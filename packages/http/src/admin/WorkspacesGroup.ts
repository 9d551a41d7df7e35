import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { ListQuery, WorkspaceInput, WorkspacePatch, WorkspaceResource } from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { pathId } from "../contract/pathId.js"
import { Raises } from "../contract/Raises.js"
import { single } from "../contract/single.js"

const id = pathId("id", "workspace")

/** Workspaces: the tenant boundary of all other resources. */
export const WorkspacesGroup = HttpApiGroup.make("workspaces")
  .add(
    HttpApiEndpoint.post("create")`/workspaces`
      .setPayload(WorkspaceInput)
      .addSuccess(single(WorkspaceResource), { status: 201 })
      .annotate(OpenApi.Summary, "Create a workspace")
  )
  .add(
    HttpApiEndpoint.get("list")`/workspaces`
      .setUrlParams(ListQuery)
      .addSuccess(cursorPage(WorkspaceResource))
      .annotate(OpenApi.Summary, "List workspaces, newest first")
  )
  .add(
    HttpApiEndpoint.get("get")`/workspaces/${id}`
      .addSuccess(single(WorkspaceResource))
      .annotate(OpenApi.Summary, "Read one workspace")
  )
  .add(
    HttpApiEndpoint.patch("update")`/workspaces/${id}`
      .setPayload(WorkspacePatch)
      .addSuccess(single(WorkspaceResource))
      .annotate(Raises, ["invalid_tenant_transition"])
      .annotate(OpenApi.Summary, "Change a workspace or its status")
  )
  .annotate(OpenApi.Title, "Workspaces")
  .annotate(OpenApi.Description, "The tenant boundary of all other resources.")
