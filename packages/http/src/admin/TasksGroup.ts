import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { TaskInput, TaskListQuery, TaskPatch, TaskResource } from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { pathId } from "../contract/pathId.js"
import { Raises } from "../contract/Raises.js"
import { single } from "../contract/single.js"

const id = pathId("id", "task")

/** Tasks of a workspace's agents and teams (docs/reference/administration.md#agents-teams-and-tasks). */
export const TasksGroup = HttpApiGroup.make("tasks")
  .add(
    HttpApiEndpoint.post("create")`/tasks`
      .setPayload(TaskInput)
      .addSuccess(single(TaskResource), { status: 201 })
      .annotate(OpenApi.Summary, "Create a task")
  )
  .add(
    HttpApiEndpoint.get("list")`/tasks`
      .setUrlParams(TaskListQuery)
      .addSuccess(cursorPage(TaskResource))
      .annotate(OpenApi.Summary, "List tasks, newest first")
  )
  .add(
    HttpApiEndpoint.get("get")`/tasks/${id}`.addSuccess(single(TaskResource)).annotate(OpenApi.Summary, "Read one task")
  )
  .add(
    HttpApiEndpoint.patch("update")`/tasks/${id}`
      .setPayload(TaskPatch)
      .addSuccess(single(TaskResource))
      .annotate(Raises, ["invalid_transition"])
      .annotate(OpenApi.Summary, "Change a task, finish or reopen it")
  )
  .annotate(OpenApi.Title, "Tasks")
  .annotate(OpenApi.Description, "Tasks of a workspace's agents and teams.")
