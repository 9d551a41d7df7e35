import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { AgentInput, AgentPatch, AgentResource, WorkspaceListQuery } from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { pathId } from "../contract/pathId.js"
import { single } from "../contract/single.js"

const id = pathId("id", "agent")

/** Agents: the people who answer customers (docs/reference/administration.md#agents-teams-and-tasks). */
export const AgentsGroup = HttpApiGroup.make("agents")
  .add(
    HttpApiEndpoint.post("create")`/agents`
      .setPayload(AgentInput)
      .addSuccess(single(AgentResource), { status: 201 })
      .annotate(OpenApi.Summary, "Create an agent")
  )
  .add(
    HttpApiEndpoint.get("list")`/agents`
      .setUrlParams(WorkspaceListQuery)
      .addSuccess(cursorPage(AgentResource))
      .annotate(OpenApi.Summary, "List agents, newest first")
  )
  .add(
    HttpApiEndpoint.get("get")`/agents/${id}`
      .addSuccess(single(AgentResource))
      .annotate(OpenApi.Summary, "Read one agent")
  )
  .add(
    HttpApiEndpoint.patch("update")`/agents/${id}`
      .setPayload(AgentPatch)
      .addSuccess(single(AgentResource))
      .annotate(OpenApi.Summary, "Change an agent's name, email, avatar or status")
  )
  .annotate(OpenApi.Title, "Agents")
  .annotate(OpenApi.Description, "People who answer customers.")
