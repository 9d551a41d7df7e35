import type { Instant } from "../Instant.js"

/** Several agents to whom conversations are assigned together (spec, Conversation). */
export interface Team {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly agentIds: ReadonlyArray<string>
  readonly createdAt: Instant
  readonly version: number
}
