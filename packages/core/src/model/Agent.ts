import type { Instant } from "./Instant.js"

/**
 * A person who answers customers and to whom conversations are assigned
 * (docs/reference/administration.md#agents-teams-and-tasks).
 */
export interface Agent {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly email: string | null
  readonly status: "active" | "inactive"
  readonly createdAt: Instant
  readonly version: number
}
