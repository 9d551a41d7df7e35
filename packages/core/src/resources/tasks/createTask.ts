import { Either } from "effect"
import type { Problems, Refusal } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { workspaceProblems } from "../../kernel/input/workspaceProblems.js"
import type { Instant } from "../../model/Instant.js"
import type { Task } from "../../model/Task.js"
import type { Workspace } from "../../model/Workspace.js"
import { changes, expect, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { type Assignees, assigneeProblems, expectAssignees } from "../agents/assignees.js"
import { expectSubject, type Named, type Subject, subjectOf } from "./subject.js"
import type { TaskInput } from "./TaskInput.js"

/** What the creation of a task may read: the rows that its body names. */
export interface CreateTaskWorld {
  readonly workspace: Workspace | undefined
  readonly named: Named
  readonly assignees: Assignees
}

/** `POST /tasks`: creates an open task. Contact, conversation and assignees must belong to its workspace. */
export const createTask = (
  { assignees, named, workspace }: CreateTaskWorld,
  decoded: PartialDecode<TaskInput>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Task>, Refusal> =>
  Either.gen(function* () {
    const { contactId = null, conversationId = null, workspaceId } = decoded.value
    // Without a workspace there is nothing to compare with: report the missing workspace only.
    const subject: Either.Either<Subject, Problems> =
      workspace === undefined ? Either.left({}) : subjectOf({ contactId, conversationId }, named, workspace.id)
    const input = yield* complete(
      decoded,
      workspaceProblems(workspaceId, workspace),
      Either.isLeft(subject) ? subject.left : {},
      workspace === undefined ? {} : assigneeProblems(decoded.value, assignees, workspace.id)
    )
    const task: Task = {
      ...input,
      ...Either.getOrThrow(subject),
      id: ids.next(now),
      status: "open",
      createdAt: now,
      version: 1
    }
    return {
      changes: changes(task.workspaceId, expectSubject(task), expectAssignees(task), {
        expects: [expect("workspaces", { id: task.workspaceId })],
        inserts: [row("tasks", task)]
      }),
      result: task
    }
  })
