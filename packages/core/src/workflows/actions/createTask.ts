import { Effect, Either } from "effect"
import { assigneeLookups, assigneeProblems, assigneesStay } from "../../agents/assignees.js"
import { invalid } from "../../errors/Refusal.js"
import { expect, row } from "../../ports/Changes.js"
import type { Task } from "../../tasks/Task.js"
import type { CreateTask } from "../definition/Action.js"
import { fillIn } from "../placeholders.js"
import { type Prepare, valuesOf } from "../runs/RunScope.js"
import { shortened } from "./shortened.js"

const longest = 255

/** Makes an open task about the contact. */
export const createTask: Prepare<CreateTask> = ({ storage }, _, action) => {
  const assignment = { assignedUserId: action.agentId, assignedTeamId: action.teamId }
  const isAnybodys = action.agentId === null && action.teamId === null
  const reading = isAnybodys ? Effect.succeed({ agents: [], teams: [] }) : storage.read(assigneeLookups(assignment))
  return Effect.map(reading, (assignees) => (scope, now, ids) => {
    const { contact, run } = scope
    const problems = assigneeProblems(assignment, assignees, run.workspaceId)
    if (Object.keys(problems).length > 0) return Either.left(invalid(problems))
    const task: Task = {
      ...assignment,
      id: ids.next(now),
      workspaceId: run.workspaceId,
      title: shortened(fillIn(action.title, valuesOf(scope)), longest),
      contactId: contact.id,
      conversationId: null,
      status: "open",
      dueAt: action.dueInMs === null ? null : now + action.dueInMs,
      createdAt: now,
      version: 1
    }
    return Either.right({
      parts: [
        assigneesStay(assignment),
        { expects: [expect("contacts", { id: contact.id })], inserts: [row("tasks", task)] }
      ],
      detail: `made the task "${task.title}" (${task.id})`
    })
  })
}
