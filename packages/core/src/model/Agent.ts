import type { Instant } from "./Instant.js"

/** The image of an agent that customers see. */
export interface AgentAvatar {
  /** Key of the bytes in the blob store; another one for each image. */
  readonly key: string
  readonly contentType: string
  /** In bytes. */
  readonly size: number
}

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
  /** Null: none, so that customers see the initials. */
  readonly avatar: AgentAvatar | null
  readonly createdAt: Instant
  readonly version: number
}
