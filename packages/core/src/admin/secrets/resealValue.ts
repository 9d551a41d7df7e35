import { Either } from "effect"
import type { Decision } from "../../Decider.js"
import type { Instant } from "../../Instant.js"
import { changes, expect, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { SecretBox } from "../../ports/SecretBox.js"
import { audited } from "../audited.js"
import type { SealedValue } from "./SealedValue.js"

/** A value that is not sealed under the present key. */
export interface StaleValue {
  readonly value: SealedValue
  /** What is in it; null where it cannot be opened. */
  readonly secret: string | null
}

/** What became of a value. `kept`: others came first, and it is gone or sealed under the present key by now. */
export type Resealing = "resealed" | "unreadable" | "kept"

const actions = {
  endpoints: "webhook_endpoint.secret_resealed",
  connections: "connection.credentials_resealed",
  workflows: "workflow.secret_resealed"
} as const satisfies { readonly [P in SealedValue["place"]]: string }

/** Seals one value under the present key; the secret itself stays as it is. `stale` is null where nothing needs to be done. */
export const resealValue = (
  stale: StaleValue | null,
  seal: SecretBox["seal"],
  now: Instant,
  ids: Ids
): Either.Either<Decision<Resealing>> => {
  if (stale === null) return Either.right({ changes: null, result: "kept" })
  if (stale.secret === null) return Either.right({ changes: null, result: "unreadable" })
  const { applicationId, id, place, version, workspaceId } = stale.value
  const text = seal(stale.secret)
  const entry = { workspaceId, applicationId, action: actions[place], subjectId: id }
  return Either.right({
    changes: changes(workspaceId, {
      expects: [expect(place, { id }, { version })],
      sets: [
        place === "connections" ? set(place, { id }, { credentials: text }) : set(place, { id }, { secret: text })
      ],
      inserts: [audited(entry, now, ids)]
    }),
    result: "resealed"
  })
}
