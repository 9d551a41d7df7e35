import type { Instant } from "./Instant.js"
import type { Script } from "./Script.js"

/** A scripted dialogue that answers customers in a conversation. */
export interface Bot {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  /** Only active bots start dialogues. */
  readonly status: "active" | "inactive"
  readonly script: Script
  readonly createdAt: Instant
  readonly version: number
}
