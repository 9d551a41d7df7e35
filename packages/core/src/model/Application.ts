import type { Connection } from "./Connection.js"
import type { Instant } from "./Instant.js"
import type { Scope } from "./Scope.js"

/**
 * Test applications use only test connections; live applications use only live ones
 * (docs/reference/authentication.md#test-and-live-mode).
 */
export type Mode = "live" | "test"

/**
 * An API client, with its scopes, channel allow-list and rate limits (docs/reference/authentication.md#applications).
 */
export interface Application {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly mode: Mode
  readonly scopes: ReadonlyArray<Scope>
  /** The allow-list: connections that it may send on and receive events of. */
  readonly connectionIds: ReadonlyArray<string>
  readonly requestsPerMinute: number
  readonly sendsPerMinute: number
  readonly status: "active" | "suspended"
  readonly createdAt: Instant
  readonly version: number
}

/**
 * Whether the connection is on the allow-list, which makes its conversations and messages visible
 * (docs/reference/authentication.md#visibility).
 */
export const isAllowListed = ({ connectionIds }: Pick<Application, "connectionIds">, connectionId: string): boolean =>
  connectionIds.includes(connectionId)

/** Whether an application of this mode can use the connection (docs/reference/authentication.md#test-and-live-mode). */
export const isOfMode = (mode: Mode, { isTest }: Pick<Connection, "isTest">): boolean => isTest === (mode === "test")

/**
 * Whether the application may send on the connection: allow-listed and of its mode
 * (docs/reference/authentication.md#allow-list).
 */
export const mayUseConnection = (
  application: Pick<Application, "connectionIds" | "mode">,
  connection: Pick<Connection, "id" | "isTest">
): boolean => isAllowListed(application, connection.id) && isOfMode(application.mode, connection)

/** A long-lived bearer token of an application. Only its hash is stored (docs/reference/authentication.md#api-keys). */
export interface ApiKey {
  readonly id: string
  readonly workspaceId: string
  readonly applicationId: string
  /** SHA-256 of the whole key, in lower-case hex. */
  readonly hash: string
  /** The key's last four characters, which identify it to administrators. */
  readonly lastFour: string
  readonly createdAt: Instant
  readonly revokedAt: Instant | null
  readonly version: number
}
