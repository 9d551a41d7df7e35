import { Either } from "effect"
import type { Problems, Refusal } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { changeProblems, requireExpected } from "../../kernel/input/Patch.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Task } from "../../model/Task.js"
import { changes, expect, set } from "../../ports/Changes.js"
import { type Assignees, assigneeProblems, expectAssignees } from "../agents/assignees.js"
import { expectSubject, type Named, type Subject, subjectOf } from "./subject.js"
import type { TaskPatch } from "./TaskInput.js"

/** What a change of a task may read: the task and the rows that the patch names. */
export interface UpdateTaskWorld {
  readonly task: Task | undefined
  readonly named: Named
  readonly assignees: Assignees
}

/**
 * `PATCH /tasks/{id}`. Rows that the patch names must belong to the task's workspace. Rows that the task named before
 * may have been deleted.
 */
export const updateTask = (
  world: UpdateTaskWorld,
  decoded: PartialDecode<TaskPatch>
): Either.Either<Decision<Task>, Refusal> =>
  Either.gen(function* () {
    const task = yield* orNotFound(world.task)
    const { id, version, workspaceId } = task
    yield* requireExpected(decoded, task)
    const requested = requestedSubject(task, decoded.value)
    const subject: Either.Either<Subject | null, Problems> =
      requested === null ? Either.right(null) : subjectOf(requested, world.named, workspaceId)
    const {
      workspaceId: _,
      contactId: __,
      conversationId: ___,
      expect: ____,
      ...others
    } = yield* complete(
      decoded,
      changeProblems({ workspace_id: [workspaceId, decoded.value.workspaceId] }),
      Either.isLeft(subject) ? subject.left : {},
      assigneeProblems(decoded.value, world.assignees, workspaceId)
    )
    const newSubject = Either.getOrThrow(subject)
    const values: Partial<Task> = { ...others, ...newSubject }
    if (Object.keys(values).length === 0) return { changes: null, result: task }
    return {
      changes: changes(workspaceId, newSubject === null ? {} : expectSubject(newSubject), expectAssignees(others), {
        expects: [expect("tasks", { id }, { version })],
        sets: [set("tasks", { id }, values)]
      }),
      result: { ...task, ...values, version: version + 1 }
    }
  })

/**
 * The subject that the patch requests; null if the patch leaves it unchanged. A new conversation without a contact
 * takes the conversation's contact.
 */
export const requestedSubject = (task: Task, patch: Partial<TaskPatch>): Subject | null => {
  const { contactId, conversationId } = patch
  if (contactId === undefined && conversationId === undefined) return null
  return {
    contactId: contactId === undefined ? (conversationId == null ? task.contactId : null) : contactId,
    conversationId: conversationId === undefined ? task.conversationId : conversationId
  }
}
