import { Effect, Schema } from "effect"
import type { Connection } from "../../channels/Connection.js"
import { isUuid } from "../../input/Fields.js"
import { type ReadError, readById, type Storage } from "../../ports/Storage.js"
import type { Endpoint } from "../../webhooks/Endpoint.js"
import type { Workflow } from "../../workflows/Workflow.js"

/** Where sealed text is kept: signing secrets of webhook endpoints and of workflows, and provider credentials. */
const SealedPlace = Schema.Literal("endpoints", "connections", "workflows")
export type SealedPlace = typeof SealedPlace.Type

/** A text that the SecretBox sealed, and the row that it is in. */
export interface SealedValue {
  readonly place: SealedPlace
  /** Of the row. */
  readonly id: string
  readonly workspaceId: string
  readonly applicationId: string | null
  readonly version: number
  readonly text: string
}

/** How far a walk over all sealed values has come: after this row of a place; null where the place has not been begun. */
export const SealedPosition: Schema.Schema<readonly [SealedPlace, string | null]> = Schema.Tuple(
  SealedPlace,
  Schema.NullOr(Schema.String.pipe(Schema.filter(isUuid)))
)
export type SealedPosition = typeof SealedPosition.Type

export const firstPosition: SealedPosition = ["endpoints", null]

/** Some sealed values of one place, and where to go on; null at the end. Rows made after the walk began may be left out. */
export interface SealedValues {
  readonly values: ReadonlyArray<SealedValue>
  readonly next: SealedPosition | null
}

/** The sealed values of the next `limit` rows. Endpoints that were deleted have theirs too. */
export const sealedValues = (
  storage: Pick<Storage, "list">,
  [place, after]: SealedPosition,
  limit: number
): Effect.Effect<SealedValues, ReadError> =>
  Effect.map(storage.list({ from: place, where: {}, after, limit }), (rows) => ({
    values: rows.flatMap((row) => sealedIn(place, row) ?? []),
    next: rows.length < limit ? following[place] : [place, rows.at(-1)?.id ?? null]
  }))

/** Where a walk goes on at the end of a place. */
const following: { readonly [P in SealedPlace]: SealedPosition | null } = {
  endpoints: ["connections", null],
  connections: ["workflows", null],
  workflows: null
}

/** A sealed value as it is now; null where there is none any more. */
export const sealedValue = (
  storage: Pick<Storage, "read">,
  { id, place }: Pick<SealedValue, "id" | "place">
): Effect.Effect<SealedValue | null, ReadError> =>
  Effect.map(readById(storage, place, id), (row) => (row === undefined ? null : sealedIn(place, row)))

/** What a row of a place has sealed; null where that is nothing. */
const sealedIn = (place: SealedPlace, row: Endpoint | Connection | Workflow): SealedValue | null => {
  const { id, version, workspaceId } = row
  const text = "credentials" in row ? row.credentials : row.secret
  const applicationId = "applicationId" in row ? row.applicationId : null
  return text === null ? null : { place, id, workspaceId, applicationId, version, text }
}
