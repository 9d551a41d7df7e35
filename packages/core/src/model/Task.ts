import type { Instant } from "./Instant.js"

/** A to-do item for a person of the workspace. */
export interface Task {
  readonly id: string
  readonly workspaceId: string
  readonly title: string
  readonly contactId: string | null
  readonly conversationId: string | null
  readonly assignedUserId: string | null
  readonly assignedTeamId: string | null
  readonly status: "open" | "done"
  readonly dueAt: Instant | null
  readonly createdAt: Instant
  readonly version: number
}
