import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { ActingIds } from "../../kernel/actor.js"
import { auditRow } from "../../kernel/auditRow.js"
import type { Decision } from "../../kernel/Decider.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Application } from "../../model/Application.js"
import type { Instant } from "../../model/Instant.js"
import type { OAuthClient } from "../../model/OAuthClient.js"
import { changes, expect, type Parts, row, set } from "../../ports/Changes.js"
import { clientIdLength, clientIdText, clientSecretText, hashOf, keyLength } from "./Credential.js"

/** A stored client and its secret, which is shown once. */
export interface IssuedOAuthClient {
  readonly client: OAuthClient
  readonly secret: string
}

/** What the rules of one client may read: an application and one of its clients. */
export interface OAuthClientWorld {
  readonly application: Application | undefined
  readonly client: OAuthClient | undefined
}

/**
 * `POST /applications/{id}/oauth-clients` (docs/reference/authentication.md#oauth-clients,
 * docs/reference/administration.md#audit-log).
 */
export const issueOAuthClient = (
  application: Application | undefined,
  serviceName: string,
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<IssuedOAuthClient>, Refusal> =>
  Either.map(orNotFound(application), ({ id: applicationId, workspaceId }) => {
    const { secret, ...kept } = newSecret(serviceName, ids)
    const client: OAuthClient = {
      ...kept,
      id: ids.next(now),
      workspaceId,
      applicationId,
      clientId: clientIdText(serviceName, ids.secret(clientIdLength)),
      createdAt: now,
      revokedAt: null,
      version: 1
    }
    return {
      changes: changes(
        workspaceId,
        { expects: [expect("applications", { id: applicationId })], claims: [row("oauthClients", client)] },
        recorded("oauth_client.issued", client, now, ids)
      ),
      result: { client, secret }
    }
  })

/**
 * `POST …/rotate`: replaces the secret and keeps the `client_id`. The old secret and all tokens that were issued with
 * it stop working with the same commit, because the old secret may have leaked.
 */
export const rotateOAuthClient = (
  world: OAuthClientWorld,
  serviceName: string,
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<IssuedOAuthClient>, Refusal> =>
  Either.gen(function* () {
    const client = yield* known(world)
    if (client.revokedAt !== null) {
      return yield* Either.left(refuse("invalid_transition", {}, "This client is revoked. Issue a new one instead."))
    }
    const { secret, ...kept } = newSecret(serviceName, ids)
    return {
      changes: changes(client.workspaceId, replaced(client, kept), recorded("oauth_client.rotated", client, now, ids)),
      result: { client: { ...client, ...kept, version: client.version + 1 }, secret }
    }
  })

/** `DELETE …/{client}`: revokes the client and its tokens. No change if it is revoked already. */
export const revokeOAuthClient = (
  world: OAuthClientWorld,
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<OAuthClient>, Refusal> =>
  Either.map(known(world), (client) =>
    client.revokedAt !== null
      ? { changes: null, result: client }
      : {
          changes: changes(
            client.workspaceId,
            replaced(client, { revokedAt: now }),
            recorded("oauth_client.revoked", client, now, ids)
          ),
          result: { ...client, revokedAt: now, version: client.version + 1 }
        }
  )

const known = ({ application, client }: OAuthClientWorld) =>
  Either.flatMap(orNotFound(application), ({ id }) => orNotFound(client?.applicationId === id ? client : undefined))

const newSecret = (serviceName: string, ids: ActingIds) => {
  const secret = clientSecretText(serviceName, ids.secret(keyLength))
  return { secret, secretHash: hashOf(secret), lastFour: secret.slice(-4) }
}

const replaced = ({ id, version }: OAuthClient, values: Partial<OAuthClient>): Parts => ({
  expects: [expect("oauthClients", { id }, { version })],
  sets: [set("oauthClients", { id }, values)]
})

const recorded = (
  action: string,
  { id, workspaceId, applicationId }: OAuthClient,
  now: Instant,
  ids: ActingIds
): Parts => ({
  inserts: [auditRow({ workspaceId, applicationId, action, subjectId: id }, now, ids)]
})
