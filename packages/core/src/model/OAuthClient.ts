import type { Instant } from "./Instant.js"
import type { Scope } from "./Scope.js"

/**
 * An OAuth 2.0 client of an application. Only the hash of its secret is stored
 * (docs/reference/authentication.md#oauth-clients).
 */
export interface OAuthClient {
  readonly id: string
  readonly workspaceId: string
  readonly applicationId: string
  /** The public `client_id` of token requests. */
  readonly clientId: string
  /** SHA-256 of the whole secret, in lower-case hex. */
  readonly secretHash: string
  /** The secret's last four characters, which identify it to administrators. */
  readonly lastFour: string
  readonly createdAt: Instant
  readonly revokedAt: Instant | null
  /** Raised by a new secret and by the revocation, which invalidates access tokens of earlier versions. */
  readonly version: number
}

/** A bearer token issued to an OAuth client; primary key is its hash. Invalid once the client's secret changes. */
export interface AccessToken {
  /** SHA-256 of the whole token, in lower-case hex. */
  readonly hash: string
  readonly workspaceId: string
  readonly applicationId: string
  /** Id of the {@link OAuthClient}. */
  readonly oauthClientId: string
  /** Version of the client when the token was issued. */
  readonly clientVersion: number
  /**
   * The granted scopes. Effective are those that the application still has
   * (docs/reference/authentication.md#access-tokens).
   */
  readonly scopes: ReadonlyArray<Scope>
  readonly createdAt: Instant
  readonly expiresAt: Instant
}
