import { Either } from "effect"
import type { Workspace } from "../../access/Workspace.js"
import { type Assignees, assigneeProblems, assigneesStay } from "../../agents/assignees.js"
import type { Decision } from "../../Decider.js"
import type { Problems, Refusal } from "../../errors/Refusal.js"
import type { Instant } from "../../Instant.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
import { changes, expect, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { Task } from "../../tasks/Task.js"
import { workspaceProblems } from "../workspaceProblems.js"
import { type Named, type Subject, subjectOf, subjectStays } from "./subject.js"
import type { TaskInput } from "./TaskInput.js"

/** All that a new task may look at: what its body names. */
export interface CreateTaskWorld {
  readonly workspace: Workspace | undefined
  readonly named: Named
  readonly assignees: Assignees
}

/** `POST /tasks`: an open task. What it names has to be of its workspace. */
export const createTask = (
  { assignees, named, workspace }: CreateTaskWorld,
  draft: Draft<TaskInput>,
  now: Instant,
  ids: Ids
): Either.Either<Decision<Task>, Refusal> =>
  Either.gen(function* () {
    const { contactId = null, conversationId = null, workspaceId } = draft.value
    // Nothing can be of a workspace that is not there.
    const subject: Either.Either<Subject, Problems> =
      workspace === undefined ? Either.left({}) : subjectOf({ contactId, conversationId }, named, workspace.id)
    const input = yield* complete(
      draft,
      workspaceProblems(workspaceId, workspace),
      Either.isLeft(subject) ? subject.left : {},
      workspace === undefined ? {} : assigneeProblems(draft.value, assignees, workspace.id)
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
      changes: changes(task.workspaceId, subjectStays(task), assigneesStay(task), {
        expects: [expect("workspaces", { id: task.workspaceId })],
        inserts: [row("tasks", task)]
      }),
      result: task
    }
  })
