import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { TaskInput, TaskListQuery, TaskPatch, TaskResource, uuid } from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { single } from "../contract/single.js"

const id = HttpApiSchema.param("id", uuid)

/** What people of a workspace are to do (decisions.md §14). */
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
      .annotate(OpenApi.Summary, "Change a task, finish or reopen it")
  )
  .annotate(OpenApi.Title, "Tasks")
  .annotate(OpenApi.Description, "What people of a workspace are to do.")
