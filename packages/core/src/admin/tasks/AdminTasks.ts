import { Context, Effect, Layer } from "effect"
import { assigneeLookups } from "../../agents/assignees.js"
import { Decider } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Listed } from "../../input/CursorList.js"
import { type Draft, joinProblems } from "../../input/Draft.js"
import { type CommitError, lookupById, type ReadError, readById, Storage } from "../../ports/Storage.js"
import type { Task } from "../../tasks/Task.js"
import { found } from "../found.js"
import { listNewestFirst } from "../listNewestFirst.js"
import { type CreateTaskWorld, createTask } from "./createTask.js"
import { missingOwner } from "./missingOwner.js"
import { subjectLookups } from "./subject.js"
import type { TaskInput, TaskPatch } from "./TaskInput.js"
import type { TaskListQuery } from "./TaskListQuery.js"
import { type UpdateTaskWorld, updateTask, wishedSubject } from "./updateTask.js"

/** Administration of tasks (decisions.md §14). An unknown id is `not_found`. */
export interface AdminTasks {
  readonly create: (draft: Draft<TaskInput>) => Effect.Effect<Task, Refusal | CommitError>
  readonly list: (query: Draft<TaskListQuery>) => Effect.Effect<Listed<Task>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Task, Refusal | ReadError>
  readonly update: (id: string, draft: Draft<TaskPatch>) => Effect.Effect<Task, Refusal | CommitError>
}
export const AdminTasks = Context.GenericTag<AdminTasks>("@parley/core/AdminTasks")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider

  const load = (id: string) => readById(storage, "tasks", id)

  const loadCreate = ({ value }: Draft<TaskInput>): Effect.Effect<CreateTaskWorld, ReadError> =>
    Effect.map(
      storage.read({
        ...subjectLookups(value),
        ...assigneeLookups(value),
        workspaces: lookupById("workspaces", value.workspaceId)
      }),
      ({ agents, contacts, conversations, teams, workspaces }) => ({
        workspace: workspaces[0],
        named: { contacts, conversations },
        assignees: { agents, teams }
      })
    )

  const loadUpdate = (id: string, { value }: Draft<TaskPatch>): Effect.Effect<UpdateTaskWorld, ReadError> =>
    Effect.gen(function* () {
      const task = yield* load(id)
      const wished = task === undefined ? null : wishedSubject(task, value)
      const { agents, contacts, conversations, teams } = yield* storage.read({
        ...subjectLookups(wished ?? {}),
        ...assigneeLookups(value)
      })
      return { task, named: { contacts, conversations }, assignees: { agents, teams } }
    })

  return AdminTasks.of({
    create: (draft) => decideAndCommit(loadCreate(draft), (world, now, ids) => createTask(world, draft, now, ids)),
    list: (query) => {
      const { assignedTeamId, assignedUserId, contactId, status, workspaceId } = query.value
      const by = { workspaceId, contactId, assignedUserId, assignedTeamId, status }
      const problems = joinProblems(query.problems, missingOwner(query.value))
      return listNewestFirst(storage, { from: "tasks", by }, { ...query, problems })
    },
    get: (id) => Effect.flatMap(load(id), found),
    update: (id, draft) => decideAndCommit(loadUpdate(id, draft), (world) => updateTask(world, draft))
  })
})

export const layer: Layer.Layer<AdminTasks, never, Storage | Decider> = Layer.effect(AdminTasks, make)
