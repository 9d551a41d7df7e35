import type { Instant } from "../Instant.js"
import type { Scope } from "./Scope.js"

/** Test applications use test connections only, live ones all others (spec, Authentication 6). */
export type Mode = "live" | "test"

/** A caller of the interface, with what it may do and reach. */
export interface Application {
  readonly id: string
  readonly workspaceId: string
  readonly name: string
  readonly mode: Mode
  readonly scopes: ReadonlyArray<Scope>
  /** The channel allow-list: the connections it may send on and hear about. */
  readonly connectionIds: ReadonlyArray<string>
  readonly requestsPerMinute: number
  readonly sendsPerMinute: number
  readonly status: "active" | "suspended"
  readonly createdAt: Instant
  readonly version: number
}

/** A bearer token of an application; only its hash is kept. */
export interface ApiKey {
  readonly id: string
  readonly workspaceId: string
  readonly applicationId: string
  /** Lower-case hex SHA-256 of the whole key. */
  readonly hash: string
  /** The key's last four characters, so that people can tell keys apart. */
  readonly lastFour: string
  readonly createdAt: Instant
  readonly revokedAt: Instant | null
  readonly version: number
}
