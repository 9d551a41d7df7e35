import type { Instant } from "./Instant.js"

/**
 * A group of agents to which conversations can be assigned (docs/reference/administration.md#agents-teams-and-tasks).
 */
export interface Team {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly agentIds: ReadonlyArray<string>
  readonly createdAt: Instant
  readonly version: number
}
