import { derivedId, derivedIdAt } from "../../kernel/derivedId.js"
import type { IdempotencyRecord } from "../../model/IdempotencyRecord.js"
import { day, type Instant } from "../../model/Instant.js"
import { expect, type Parts, remove, row, set } from "../../ports/Changes.js"

/**
 * A resource that a declaration named. Its name is a permanent idempotency key in a scope of its own
 * (docs/reference/idempotency.md#names-of-declared-parts).
 */
export interface DeclaredPart {
  readonly id: string
  /** Whether it was taken out of service because a declaration no longer had it. */
  readonly pruned: boolean
}

/** Fingerprint of names, which stand for a resource and not for a request. */
export const anyRequest = ""

/** For ever, in ms. */
export const partRetention = 36_500 * day

/** Scope of the name of a workspace. */
export const workspaceScope = (name: string): string => derivedIdAt(0, `declared workspace ${name}`)

/** Scope of the names of a workspace's parts. */
export const partsScope = (workspaceId: string): string => derivedId(workspaceId, "declared parts")

/** The stored body of a name. Its beginning is the answer of a repeated creation. */
export const partBody = ({ id, pruned }: DeclaredPart): string =>
  JSON.stringify({ data: { id }, ...(pruned ? { pruned } : {}) })

export const partOf = ({ body }: IdempotencyRecord): DeclaredPart => {
  const { data, pruned = false } = JSON.parse(body)
  return { id: data.id, pruned }
}

/** Sets or deletes (null) the part of a name. Conflicts if the name changed since `present` was read. */
export const storePart = (
  present: IdempotencyRecord | undefined,
  name: { readonly workspaceId: string; readonly scope: string; readonly key: string },
  part: DeclaredPart | null,
  now: Instant
): Parts => {
  const key = { applicationId: name.scope, key: name.key }
  if (present === undefined) {
    if (part === null) return {}
    const record: IdempotencyRecord = {
      ...key,
      workspaceId: name.workspaceId,
      fingerprint: anyRequest,
      state: "done",
      deadline: now,
      status: 201,
      body: partBody(part),
      createdAt: now,
      expiresAt: now + partRetention,
      version: 1
    }
    return { claims: [row("idempotency", record)] }
  }
  // A name that was deleted and set again meanwhile has the same version.
  const expects = [expect("idempotency", key, { version: present.version, body: present.body })]
  return part === null
    ? { expects, deletes: [remove("idempotency", key)] }
    : { expects, sets: [set("idempotency", key, { body: partBody(part) })] }
}
