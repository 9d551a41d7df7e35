import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { TeamInput, TeamPatch, TeamResource, uuid, WorkspaceListQuery } from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { single } from "../contract/single.js"

const id = HttpApiSchema.param("id", uuid)

/** Teams: agents to whom conversations are assigned together (decisions.md §14). */
export const TeamsGroup = HttpApiGroup.make("teams")
  .add(
    HttpApiEndpoint.post("create")`/teams`
      .setPayload(TeamInput)
      .addSuccess(single(TeamResource), { status: 201 })
      .annotate(OpenApi.Summary, "Create a team")
  )
  .add(
    HttpApiEndpoint.get("list")`/teams`
      .setUrlParams(WorkspaceListQuery)
      .addSuccess(cursorPage(TeamResource))
      .annotate(OpenApi.Summary, "List teams, newest first")
  )
  .add(
    HttpApiEndpoint.get("get")`/teams/${id}`.addSuccess(single(TeamResource)).annotate(OpenApi.Summary, "Read one team")
  )
  .add(
    HttpApiEndpoint.patch("update")`/teams/${id}`
      .setPayload(TeamPatch)
      .addSuccess(single(TeamResource))
      .annotate(OpenApi.Summary, "Change a team's name or agents")
  )
  .annotate(OpenApi.Title, "Teams")
  .annotate(OpenApi.Description, "Agents who work together.")
