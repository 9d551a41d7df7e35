import { Effect, Either } from "effect"
import { invalid } from "../../../errors/Refusal.js"
import { truncate } from "../../../kernel/text/truncate.js"
import type { CreateTask } from "../../../model/Action.js"
import type { Task } from "../../../model/Task.js"
import { expect, row } from "../../../ports/Changes.js"
import { assigneeLookups, assigneeProblems, expectAssignees } from "../../../resources/agents/assignees.js"
import { fillIn } from "../../../resources/contacts/placeholders.js"
import { type Prepare, valuesOf } from "../runs/RunScope.js"

const maxLength = 255

/** Creates an open task about the contact. */
export const createTask: Prepare<CreateTask> = ({ storage }, _, action) => {
  const assignment = { assignedUserId: action.agentId, assignedTeamId: action.teamId }
  const isUnassigned = action.agentId === null && action.teamId === null
  const reading = isUnassigned ? Effect.succeed({ agents: [], teams: [] }) : storage.read(assigneeLookups(assignment))
  return Effect.map(reading, (assignees) => (scope, now, ids) => {
    const { contact, run } = scope
    const problems = assigneeProblems(assignment, assignees, run.workspaceId)
    if (Object.keys(problems).length > 0) return Either.left(invalid(problems))
    const task: Task = {
      ...assignment,
      id: ids.next(now),
      workspaceId: run.workspaceId,
      title: truncate(fillIn(action.title, valuesOf(scope)), maxLength),
      contactId: contact.id,
      conversationId: null,
      status: "open",
      dueAt: action.dueInMs === null ? null : now + action.dueInMs,
      createdAt: now,
      version: 1
    }
    return Either.right({
      parts: [
        expectAssignees(assignment),
        { expects: [expect("contacts", { id: contact.id })], inserts: [row("tasks", task)] }
      ],
      detail: `made the task "${task.title}" (${task.id})`
    })
  })
}
