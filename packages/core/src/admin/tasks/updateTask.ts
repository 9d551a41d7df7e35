import { Either } from "effect"
import { type Assignees, assigneeProblems, assigneesStay } from "../../agents/assignees.js"
import type { Decision } from "../../Decider.js"
import type { Problems, Refusal } from "../../errors/Refusal.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { changeProblems } from "../../input/Patch.js"
import { changes, expect, set } from "../../ports/Changes.js"
import type { Task } from "../../tasks/Task.js"
import { found } from "../found.js"
import { type Named, type Subject, subjectOf, subjectStays } from "./subject.js"
import type { TaskPatch } from "./TaskInput.js"

/** All that a change of a task may look at: the task, and what it will name. */
export interface UpdateTaskWorld {
  readonly task: Task | undefined
  readonly named: Named
  readonly assignees: Assignees
}

/** `PATCH /tasks/{id}`. What it newly names has to be of its workspace; what it named before may be gone. */
export const updateTask = (world: UpdateTaskWorld, draft: Draft<TaskPatch>): Either.Either<Decision<Task>, Refusal> =>
  Either.gen(function* () {
    const task = yield* found(world.task)
    const { id, version, workspaceId } = task
    const wished = wishedSubject(task, draft.value)
    const subject: Either.Either<Subject | null, Problems> =
      wished === null ? Either.right(null) : subjectOf(wished, world.named, workspaceId)
    const {
      workspaceId: _,
      contactId: __,
      conversationId: ___,
      ...others
    } = yield* complete(
      draft,
      changeProblems({ workspace_id: [workspaceId, draft.value.workspaceId] }),
      Either.isLeft(subject) ? subject.left : {},
      assigneeProblems(draft.value, world.assignees, workspaceId)
    )
    const about = Either.getOrThrow(subject)
    const values: Partial<Task> = { ...others, ...about }
    if (Object.keys(values).length === 0) return { changes: null, result: task }
    return {
      changes: changes(workspaceId, about === null ? {} : subjectStays(about), assigneesStay(others), {
        expects: [expect("tasks", { id }, { version })],
        sets: [set("tasks", { id }, values)]
      }),
      result: { ...task, ...values, version: version + 1 }
    }
  })

/** Whom and what the task is to be about; null where the patch leaves that. A new conversation brings its contact. */
export const wishedSubject = (task: Task, patch: Partial<TaskPatch>): Subject | null => {
  const { contactId, conversationId } = patch
  if (contactId === undefined && conversationId === undefined) return null
  return {
    contactId: contactId === undefined ? (conversationId == null ? task.contactId : null) : contactId,
    conversationId: conversationId === undefined ? task.conversationId : conversationId
  }
}
