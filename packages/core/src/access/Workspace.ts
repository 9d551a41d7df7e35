import { type Instant, minute } from "../Instant.js"

/** `suspended` answers reads and refuses writes; `unavailable` answers nothing (decisions.md §2). */
export type WorkspaceStatus = "active" | "suspended" | "unavailable"

/** How long the automations of a workspace wait that is not active, before they look again (decisions.md §9). */
export const whileSuspended: number = minute

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
