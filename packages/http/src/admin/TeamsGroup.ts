import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { TeamInput, TeamPatch, TeamResource, WorkspaceListQuery } from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { pathId } from "../contract/pathId.js"
import { Raises } from "../contract/Raises.js"
import { single } from "../contract/single.js"

const id = pathId("id", "team")

/** Teams: agents who share assigned conversations (docs/reference/administration.md#agents-teams-and-tasks). */
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
      .annotate(Raises, ["invalid_transition"])
      .annotate(OpenApi.Summary, "Change a team's name or agents")
  )
  .annotate(OpenApi.Title, "Teams")
  .annotate(OpenApi.Description, "Agents who work together.")
