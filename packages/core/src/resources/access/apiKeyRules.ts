import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { ActingIds } from "../../kernel/actor.js"
import { auditRow } from "../../kernel/auditRow.js"
import type { Decision } from "../../kernel/Decider.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { ApiKey, Application } from "../../model/Application.js"
import type { IdempotencyRecord } from "../../model/IdempotencyRecord.js"
import type { Instant } from "../../model/Instant.js"
import { changes, expect, type Parts, row, set } from "../../ports/Changes.js"
import { apiKeyText, hashOf, keyLength } from "./Credential.js"
import { partOf, storePart } from "./declaredPart.js"

/** A stored key and its text, which is shown once. */
export interface IssuedApiKey {
  readonly apiKey: ApiKey
  readonly key: string
}

/** What the rules of one key may read: an application and one of its keys. */
export interface ApiKeyWorld {
  readonly application: Application | undefined
  readonly apiKey: ApiKey | undefined
}

/**
 * `POST /applications/{id}/api-keys` (docs/reference/authentication.md#api-keys,
 * docs/reference/administration.md#audit-log).
 */
export const issueApiKey = (
  application: Application | undefined,
  serviceName: string,
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<IssuedApiKey>, Refusal> =>
  Either.map(orNotFound(application), (owner) => {
    const issued = newApiKey(owner, serviceName, now, ids)
    return {
      changes: changes(
        owner.workspaceId,
        { expects: [expect("applications", { id: owner.id })], claims: [row("apiKeys", issued.apiKey)] },
        recorded("api_key.issued", issued.apiKey, now, ids)
      ),
      result: issued
    }
  })

/**
 * `POST …/rotate`: issues a new key and revokes the old one in the same commit. The name of a declared key moves to the
 * new one (docs/reference/idempotency.md#names-of-declared-parts). `names`: the names of the workspace's parts.
 */
export const rotateApiKey = (
  world: ApiKeyWorld & { readonly names: ReadonlyArray<IdempotencyRecord> },
  serviceName: string,
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<IssuedApiKey>, Refusal> =>
  Either.gen(function* () {
    const { owner, apiKey } = yield* known(world)
    if (apiKey.revokedAt !== null) {
      return yield* Either.left(refuse("invalid_transition", {}, "This key is revoked. Issue a new one instead."))
    }
    const issued = newApiKey(owner, serviceName, now, ids)
    const names = world.names.filter((name) => partOf(name).id === apiKey.id)
    return {
      changes: changes(
        owner.workspaceId,
        { claims: [row("apiKeys", issued.apiKey)] },
        revoked(apiKey, now),
        ...names.map((name) => named(name, issued.apiKey, now)),
        recorded("api_key.rotated", apiKey, now, ids),
        recorded("api_key.issued", issued.apiKey, now, ids)
      ),
      result: issued
    }
  })

/** `DELETE …/{key_id}`: revokes the key. No change if it is revoked already. */
export const revokeApiKey = (
  world: ApiKeyWorld,
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<ApiKey>, Refusal> =>
  Either.map(known(world), ({ apiKey }) =>
    apiKey.revokedAt !== null
      ? { changes: null, result: apiKey }
      : {
          changes: changes(apiKey.workspaceId, revoked(apiKey, now), recorded("api_key.revoked", apiKey, now, ids)),
          result: { ...apiKey, revokedAt: now, version: apiKey.version + 1 }
        }
  )

const known = ({ application, apiKey }: ApiKeyWorld) =>
  Either.gen(function* () {
    const owner = yield* orNotFound(application)
    return { owner, apiKey: yield* orNotFound(apiKey?.applicationId === owner.id ? apiKey : undefined) }
  })

const newApiKey = (owner: Application, serviceName: string, now: Instant, ids: ActingIds): IssuedApiKey => {
  const key = apiKeyText(serviceName, owner.mode, ids.secret(keyLength))
  return {
    key,
    apiKey: {
      id: ids.next(now),
      workspaceId: owner.workspaceId,
      applicationId: owner.id,
      hash: hashOf(key),
      lastFour: key.slice(-4),
      createdAt: now,
      revokedAt: null,
      version: 1
    }
  }
}

const revoked = ({ id, version }: ApiKey, now: Instant): Parts => ({
  expects: [expect("apiKeys", { id }, { version })],
  sets: [set("apiKeys", { id }, { revokedAt: now })]
})

const named = (name: IdempotencyRecord, { id, workspaceId }: ApiKey, now: Instant): Parts =>
  storePart(name, { workspaceId, scope: name.applicationId, key: name.key }, { ...partOf(name), id }, now)

const recorded = (action: string, { id, workspaceId, applicationId }: ApiKey, now: Instant, ids: ActingIds): Parts => ({
  inserts: [auditRow({ workspaceId, applicationId, action, subjectId: id }, now, ids)]
})
