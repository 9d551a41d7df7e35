import type { Instant } from "../Instant.js"
import type { Script } from "./Script.js"

/** A scripted dialogue on a conversation. */
export interface Bot {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  /** Only an active one starts. */
  readonly status: "active" | "inactive"
  readonly script: Script
  readonly createdAt: Instant
  readonly version: number
}
