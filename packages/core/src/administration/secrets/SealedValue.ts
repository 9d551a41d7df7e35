import { Effect, Schema } from "effect"
import { isUuid } from "../../kernel/input/Fields.js"
import type { Connection } from "../../model/Connection.js"
import type { Endpoint } from "../../model/Endpoint.js"
import type { Definition, Workflow, WorkflowVersion } from "../../model/Workflow.js"
import { type ReadError, readById, type Storage } from "../../ports/Storage.js"

/** The tables with sealed text: secrets and URLs of endpoints and workflows, and credentials of connections. */
const SealedPlace = Schema.Literal("endpoints", "connections", "workflows", "workflowVersions")
export type SealedPlace = typeof SealedPlace.Type

/** A column with sealed text. */
export type SealedColumn = "secret" | "url" | "credentials" | "definition"

/** A text sealed by the SecretBox, and its row. */
export interface SealedValue {
  readonly place: SealedPlace
  readonly column: SealedColumn
  /** Id of the row. */
  readonly id: string
  readonly workspaceId: string
  readonly applicationId: string | null
  /** Undefined: rows of the table have none. */
  readonly version: number | undefined
  readonly text: string
  /** The webhook call with this URL, of the column `definition`. */
  readonly call?: { readonly definition: Definition; readonly position: number }
}

/**
 * Position of a scan over all sealed values: the table, and the id of the last row read; null at the start of the
 * table.
 */
export const SealedPosition: Schema.Schema<readonly [SealedPlace, string | null]> = Schema.Tuple(
  SealedPlace,
  Schema.NullOr(Schema.String.pipe(Schema.filter(isUuid)))
)
export type SealedPosition = typeof SealedPosition.Type

export const firstPosition: SealedPosition = ["endpoints", null]

/**
 * One page of sealed values and the next position; null at the end. Rows inserted after the scan began may be missing.
 */
export interface SealedValues {
  readonly values: ReadonlyArray<SealedValue>
  readonly next: SealedPosition | null
}

/** Reads the sealed values of the next `limit` rows, including those of deleted endpoints. */
export const sealedValues = (
  storage: Pick<Storage, "list">,
  [place, after]: SealedPosition,
  limit: number
): Effect.Effect<SealedValues, ReadError> =>
  Effect.map(storage.list({ from: place, where: {}, after, limit }), (rows) => ({
    values: rows.flatMap((row) => sealedIn(place, row)),
    next: rows.length < limit ? following[place] : [place, rows.at(-1)?.id ?? null]
  }))

/** Position after the end of each table. */
const following: { readonly [P in SealedPlace]: SealedPosition | null } = {
  endpoints: ["connections", null],
  connections: ["workflows", null],
  workflows: ["workflowVersions", null],
  workflowVersions: null
}

/** Reads the present sealed value of a row's column; null if the row or the value no longer exists. */
export const sealedValue = (
  storage: Pick<Storage, "read">,
  { call, column, id, place }: Pick<SealedValue, "id" | "place" | "column" | "call">
): Effect.Effect<SealedValue | null, ReadError> =>
  Effect.map(readById(storage, place, id), (row) =>
    row === undefined
      ? null
      : (sealedIn(place, row).find((value) => value.column === column && value.call?.position === call?.position) ??
        null)
  )

/** The sealed values of a row. */
const sealedIn = (
  place: SealedPlace,
  row: Endpoint | Connection | Workflow | WorkflowVersion
): ReadonlyArray<SealedValue> => {
  const { id, workspaceId } = row
  const version = "version" in row ? row.version : undefined
  const applicationId = "applicationId" in row ? row.applicationId : null
  const value = (column: SealedColumn, text: string | null): ReadonlyArray<SealedValue> =>
    text === null ? [] : [{ place, column, id, workspaceId, applicationId, version, text }]
  if ("credentials" in row) return value("credentials", row.credentials)
  if ("url" in row) return [...value("secret", row.secret), ...value("url", row.url)]
  const { definition } = row
  const urls = definition.actions.flatMap((action, position) =>
    action.type === "call_webhook"
      ? value("definition", action.url).map((url) => ({ ...url, call: { definition, position } }))
      : []
  )
  return [...("secret" in row ? value("secret", row.secret) : []), ...urls]
}
