import { Effect } from "effect"
import type { SecretBox } from "../../ports/SecretBox.js"
import type { ReadError, Storage } from "../../ports/Storage.js"

/** A key that this host lacks. */
export interface MissingKey {
  /** Its id, which reveals nothing about the key. */
  readonly key: string
  /** Number of values under it that were found. */
  readonly values: number
}

/** Maximum number of rows of each table, which bounds the cost of a status. */
const scanLimit = 1_000

/**
 * The keys that this host lacks, of the signing secrets and URLs of the newest {@link scanLimit} endpoints that are not
 * deleted, the credentials of as many connections and the signing secrets of as many workflows. Reads these columns
 * only; `AdminSecrets` counts all values.
 */
export const missingKeys = (
  storage: Pick<Storage, "listColumns">,
  { keyIdOf, keyIds }: Pick<SecretBox, "keyIdOf" | "keyIds">
): Effect.Effect<ReadonlyArray<MissingKey>, ReadError> => {
  const newest = { after: null, limit: scanLimit }
  return Effect.map(
    Effect.all(
      [
        storage.listColumns({ from: "endpoints", where: { status: ["active", "disabled"] }, ...newest }, [
          "secret",
          "url"
        ]),
        storage.listColumns({ from: "connections", where: {}, ...newest }, ["credentials"]),
        storage.listColumns({ from: "workflows", where: {}, ...newest }, ["secret"])
      ],
      { concurrency: "unbounded" }
    ),
    (rows) => {
      const values = new Map<string, number>()
      for (const text of rows.flat().flatMap((row) => Object.values(row))) {
        const key = text === null ? null : keyIdOf(text)
        if (key !== null && !keyIds.includes(key)) values.set(key, (values.get(key) ?? 0) + 1)
      }
      return [...values].map(([key, values]) => ({ key, values }))
    }
  )
}
