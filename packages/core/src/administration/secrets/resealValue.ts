import { Either } from "effect"
import { withCallUrl } from "../../flows/workflows/definition/sealedUrls.js"
import type { ActingIds } from "../../kernel/actor.js"
import { auditRow } from "../../kernel/auditRow.js"
import type { Decision } from "../../kernel/Decider.js"
import type { Instant } from "../../model/Instant.js"
import { type Condition, changes, expect, set } from "../../ports/Changes.js"
import type { SecretBox } from "../../ports/SecretBox.js"
import type { SealedValue } from "./SealedValue.js"

/** A value that is not sealed under the present key. */
export interface StaleValue {
  readonly value: SealedValue
  /** The opened secret; null if it cannot be opened. */
  readonly secret: string | null
}

/** Result for one value. `kept`: another writer was first, and the value no longer exists or has the present key. */
export type Resealing = "resealed" | "unreadable" | "kept"

const subjects = {
  endpoints: "webhook_endpoint",
  connections: "connection",
  workflows: "workflow",
  workflowVersions: "workflow_version"
} as const satisfies { readonly [P in SealedValue["place"]]: string }

/** Seals one value under the present key, without changing the secret. `stale` null: nothing to do. */
export const resealValue = (
  stale: StaleValue | null,
  seal: SecretBox["seal"],
  now: Instant,
  ids: ActingIds
): Either.Either<Decision<Resealing>> => {
  if (stale === null) return Either.right({ changes: null, result: "kept" })
  if (stale.secret === null) return Either.right({ changes: null, result: "unreadable" })
  const { applicationId, call, column, id, place, version, workspaceId } = stale.value
  const text = seal(stale.secret)
  const entry = { workspaceId, applicationId, action: `${subjects[place]}.${column}_resealed`, subjectId: id }
  return Either.right({
    changes: changes(workspaceId, {
      expects: [
        version === undefined ? expect(place, { id }) : expect(place, { id }, { version } as Condition<typeof place>)
      ],
      sets: [
        set(
          place,
          { id },
          call === undefined ? { [column]: text } : { definition: withCallUrl(call.definition, call.position, text) }
        )
      ],
      inserts: [auditRow(entry, now, ids)]
    }),
    result: "resealed"
  })
}
