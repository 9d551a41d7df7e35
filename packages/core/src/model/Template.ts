import type { Channel } from "./Channel.js"
import type { Instant } from "./Instant.js"

export type TemplateStatus = "draft" | "pending" | "approved" | "rejected" | "paused"

/** A message text with slots `{{1}}`, `{{2}}`, …; unique by (workspace, channel, name, language). */
export interface Template {
  readonly id: string
  readonly workspaceId: string
  readonly channel: Channel
  readonly name: string
  readonly language: string
  /** Sends of category `marketing` are refused for contacts that opted out of marketing. */
  readonly category: string | null
  readonly body: string
  readonly status: TemplateStatus
  readonly createdAt: Instant
  readonly version: number
}
