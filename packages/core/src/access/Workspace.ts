import type { Instant } from "../Instant.js"

/** `suspended` answers reads and refuses writes; `unavailable` answers nothing (decisions.md §2). */
export type WorkspaceStatus = "active" | "suspended" | "unavailable"

/** A business: the boundary inside which contacts, conversations and templates are shared. */
export interface Workspace {
  readonly id: string
  readonly name: string
  /** The language of a template that names none, such as `en`. */
  readonly defaultLanguage: string | null
  /** The IANA time zone that its automations go by. */
  readonly timezone: string
  readonly status: WorkspaceStatus
  readonly createdAt: Instant
  readonly version: number
}
