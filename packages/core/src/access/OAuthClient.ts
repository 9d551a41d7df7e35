import type { Instant } from "../Instant.js"
import type { Scope } from "./Scope.js"

/** An OAuth 2.0 client of an application; only its secret's hash is kept (spec, Authentication 2). */
export interface OAuthClient {
  readonly id: string
  readonly workspaceId: string
  readonly applicationId: string
  /** What the client calls itself when it asks for a token. */
  readonly clientId: string
  /** Lower-case hex SHA-256 of the whole secret. */
  readonly secretHash: string
  /** The secret's last four characters, so that people can tell secrets apart. */
  readonly lastFour: string
  readonly createdAt: Instant
  readonly revokedAt: Instant | null
  /** Rises with each new secret and with the revocation: the tokens of earlier versions are dead. */
  readonly version: number
}

/** A bearer token that an OAuth client was given; its key is its hash. It dies with its client's secret. */
export interface AccessToken {
  /** Lower-case hex SHA-256 of the whole token. */
  readonly hash: string
  readonly workspaceId: string
  readonly applicationId: string
  /** The id of the {@link OAuthClient}. */
  readonly oauthClientId: string
  /** The version that the client had when it asked. */
  readonly clientVersion: number
  /** What was granted; what it carries is what the application still holds of it (decisions.md §3). */
  readonly scopes: ReadonlyArray<Scope>
  readonly createdAt: Instant
  readonly expiresAt: Instant
}
