import { Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import type { Listed } from "../../kernel/input/CursorList.js"
import { listNewestFirst } from "../../kernel/input/listNewestFirst.js"
import { joinProblems, type PartialDecode } from "../../kernel/input/PartialDecode.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Task } from "../../model/Task.js"
import { type CommitError, lookupById, type ReadError, readById, Storage } from "../../ports/Storage.js"
import { assigneeLookups } from "../agents/assignees.js"
import { type CreateTaskWorld, createTask } from "./createTask.js"
import { subjectLookups } from "./subject.js"
import type { TaskInput, TaskPatch } from "./TaskInput.js"
import { missingOwner, type TaskListQuery } from "./TaskListQuery.js"
import { requestedSubject, type UpdateTaskWorld, updateTask } from "./updateTask.js"

/**
 * Administration of tasks (docs/reference/administration.md#agents-teams-and-tasks). Fails with `not_found` for an
 * unknown id.
 */
export interface AdminTasks {
  readonly create: (decoded: PartialDecode<TaskInput>) => Effect.Effect<Task, Refusal | CommitError>
  readonly list: (query: PartialDecode<TaskListQuery>) => Effect.Effect<Listed<Task>, Refusal | ReadError>
  readonly get: (id: string) => Effect.Effect<Task, Refusal | ReadError>
  readonly update: (id: string, decoded: PartialDecode<TaskPatch>) => Effect.Effect<Task, Refusal | CommitError>
}
export const AdminTasks = Context.GenericTag<AdminTasks>("@parley/core/AdminTasks")

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider

  const load = (id: string) => readById(storage, "tasks", id)

  const loadCreate = ({ value }: PartialDecode<TaskInput>): Effect.Effect<CreateTaskWorld, ReadError> =>
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

  const loadUpdate = (id: string, { value }: PartialDecode<TaskPatch>): Effect.Effect<UpdateTaskWorld, ReadError> =>
    Effect.gen(function* () {
      const task = yield* load(id)
      const requested = task === undefined ? null : requestedSubject(task, value)
      const { agents, contacts, conversations, teams } = yield* storage.read({
        ...subjectLookups(requested ?? {}),
        ...assigneeLookups(value)
      })
      return { task, named: { contacts, conversations }, assignees: { agents, teams } }
    })

  return AdminTasks.of({
    create: (decoded) =>
      decideAndCommit(loadCreate(decoded), (world, now, ids) => createTask(world, decoded, now, ids)),
    list: (query) => {
      const { assignedTeamId, assignedUserId, contactId, status, workspaceId } = query.value
      const by = { workspaceId, contactId, assignedUserId, assignedTeamId, status }
      const problems = joinProblems(query.problems, missingOwner(query.value))
      return listNewestFirst(storage, { from: "tasks", by }, { ...query, problems })
    },
    get: (id) => Effect.flatMap(load(id), orNotFound),
    update: (id, decoded) => decideAndCommit(loadUpdate(id, decoded), (world) => updateTask(world, decoded))
  })
})
