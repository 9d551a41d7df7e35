import { type Instant, minute } from "./Instant.js"

/**
 * `suspended`: reads are allowed, writes refused (docs/reference/authentication.md#suspended-workspaces).
 * `unavailable`: all requests are refused (docs/reference/authentication.md#unavailable-workspaces).
 */
export type WorkspaceStatus = "active" | "suspended" | "unavailable"

/**
 * Poll interval of automations while their workspace is not active, in ms
 * (docs/reference/automations.md#suspended-workspace).
 */
export const suspendedRetryMs: number = minute

/** A tenant, which owns contacts, conversations and templates (docs/reference/administration.md#workspaces). */
export interface Workspace {
  readonly id: string
  readonly name: string
  /** Default language of template sends, such as `en`. */
  readonly defaultLanguage: string | null
  /** IANA time zone of its automations. */
  readonly timezone: string
  readonly status: WorkspaceStatus
  readonly createdAt: Instant
  readonly version: number
}
