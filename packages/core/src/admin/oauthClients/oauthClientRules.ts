import { Either } from "effect"
import type { Application } from "../../access/Application.js"
import { clientIdLength, clientIdText, clientSecretText, hashOf, keyLength } from "../../access/Credential.js"
import type { OAuthClient } from "../../access/OAuthClient.js"
import type { Decision } from "../../Decider.js"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { Instant } from "../../Instant.js"
import { changes, expect, type Parts, row, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { audited } from "../audited.js"
import { found } from "../found.js"

/** A client as it is kept, and its secret, which is shown once. */
export interface IssuedOAuthClient {
  readonly client: OAuthClient
  readonly secret: string
}

/** An application and one of its clients. */
export interface OAuthClientWorld {
  readonly application: Application | undefined
  readonly client: OAuthClient | undefined
}

/** `POST /applications/{id}/oauth-clients` (spec, Authentication 2 and 7). */
export const issueOAuthClient = (
  application: Application | undefined,
  serviceName: string,
  now: Instant,
  ids: Ids
): Either.Either<Decision<IssuedOAuthClient>, Refusal> =>
  Either.map(found(application), ({ id: applicationId, workspaceId }) => {
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
 * `POST …/rotate`: a new secret under the same `client_id`. The old one stops working with the same commit, and so do the
 * tokens that were got with it: whoever rotates may know that somebody else has it.
 */
export const rotateOAuthClient = (
  world: OAuthClientWorld,
  serviceName: string,
  now: Instant,
  ids: Ids
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

/** `DELETE …/{client}`: the client and its tokens stop working. One that is revoked already stays as it is. */
export const revokeOAuthClient = (
  world: OAuthClientWorld,
  now: Instant,
  ids: Ids
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
  Either.flatMap(found(application), ({ id }) => found(client?.applicationId === id ? client : undefined))

const newSecret = (serviceName: string, ids: Ids) => {
  const secret = clientSecretText(serviceName, ids.secret(keyLength))
  return { secret, secretHash: hashOf(secret), lastFour: secret.slice(-4) }
}

const replaced = ({ id, version }: OAuthClient, values: Partial<OAuthClient>): Parts => ({
  expects: [expect("oauthClients", { id }, { version })],
  sets: [set("oauthClients", { id }, values)]
})

const recorded = (action: string, { id, workspaceId, applicationId }: OAuthClient, now: Instant, ids: Ids): Parts => ({
  inserts: [audited({ workspaceId, applicationId, action, subjectId: id }, now, ids)]
})
