import { Effect, Schema } from "effect"
import type { Connection } from "../../channels/Connection.js"
import { isUuid } from "../../input/Fields.js"
import { type ReadError, readById, type Storage } from "../../ports/Storage.js"
import type { Endpoint } from "../../webhooks/Endpoint.js"

/** Where sealed text is kept: signing secrets, then provider credentials. */
const SealedPlace = Schema.Literal("endpoints", "connections")
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
): Effect.Effect<SealedValues, ReadError> => {
  const page = { where: {}, after, limit }
  return place === "endpoints"
    ? Effect.map(storage.list({ from: place, ...page }), (rows) => ({
        values: rows.map(ofEndpoint),
        next: rows.length < limit ? ["connections", null] : [place, rows.at(-1)?.id ?? null]
      }))
    : Effect.map(storage.list({ from: place, ...page }), (rows) => ({
        values: rows.flatMap((row) => ofConnection(row) ?? []),
        next: rows.length < limit ? null : [place, rows.at(-1)?.id ?? null]
      }))
}

/** A sealed value as it is now; null where there is none any more. */
export const sealedValue = (
  storage: Pick<Storage, "read">,
  { id, place }: Pick<SealedValue, "id" | "place">
): Effect.Effect<SealedValue | null, ReadError> =>
  place === "endpoints"
    ? Effect.map(readById(storage, place, id), (row) => (row === undefined ? null : ofEndpoint(row)))
    : Effect.map(readById(storage, place, id), (row) => (row === undefined ? null : ofConnection(row)))

const ofEndpoint = ({ applicationId, id, secret, version, workspaceId }: Endpoint): SealedValue => ({
  place: "endpoints",
  id,
  workspaceId,
  applicationId,
  version,
  text: secret
})

const ofConnection = ({ credentials, id, version, workspaceId }: Connection): SealedValue | null =>
  credentials === null
    ? null
    : { place: "connections", id, workspaceId, applicationId: null, version, text: credentials }
