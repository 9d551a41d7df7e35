import type { Instant } from "../Instant.js"

/** A person of the workspace who answers customers; conversations are assigned to them (spec, Conversation). */
export interface Agent {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly email: string | null
  readonly status: "active" | "inactive"
  readonly createdAt: Instant
  readonly version: number
}
