import { Array as Arrays, Context, Effect, Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import { commitAtOnce } from "../../kernel/deferral.js"
import { cursors } from "../../kernel/input/Cursor.js"
import { complete } from "../../kernel/input/complete.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import { SecretBox } from "../../ports/SecretBox.js"
import { type CommitError, type ReadError, Storage } from "../../ports/Storage.js"
import type { RotationInput } from "./RotationInput.js"
import { type Resealing, resealValue, type StaleValue } from "./resealValue.js"
import {
  firstPosition,
  SealedPosition,
  type SealedValue,
  type SealedValues,
  sealedValue,
  sealedValues
} from "./SealedValue.js"

/** Number of values sealed under one key. */
export interface SecretKeyUse {
  /** The key's id, which reveals nothing about the key; null for values that are not sealed text. */
  readonly key: string | null
  /** `present` seals and opens, `previous` opens only, `missing`: this host lacks the key. */
  readonly use: "present" | "previous" | "missing"
  /** Number of signing secrets of webhook endpoints and workflows. */
  readonly signingSecrets: number
  /** Number of connections with credentials. */
  readonly credentials: number
  /** Number of URLs of webhook endpoints, and of webhook calls of workflows. */
  readonly urls: number
}

/** Result of one step of a rotation. */
export interface Rotation {
  /** Id of the present key. */
  readonly key: string
  readonly examined: number
  readonly resealed: number
  /** Values that cannot be opened, because this host lacks their key or they were altered. They are left unchanged. */
  readonly unreadable: number
  /** Cursor of the next step; null after the last one. */
  readonly cursor: string | null
}

/**
 * Rotation of the key that seals signing secrets, provider credentials and URLs of endpoints and workflows
 * (docs/reference/administration.md#secrets).
 */
export interface AdminSecrets {
  /** Number of values by key: first this host's keys, including unused ones, then others. Reads all sealed values. */
  readonly status: Effect.Effect<ReadonlyArray<SecretKeyUse>, ReadError>
  /**
   * Reseals values of other keys under the present key, in steps of {@link stepSize} rows. Idempotent from any
   * cursor. Fails with `validation_failed` for an invalid cursor.
   */
  readonly rotate: (decoded: PartialDecode<RotationInput>) => Effect.Effect<Rotation, Refusal | CommitError>
}
export const AdminSecrets = Context.GenericTag<AdminSecrets>("@parley/core/AdminSecrets")

/** Number of rows that one step of a rotation reads. A row may have several values. */
export const stepSize = 200
const scanBatchSize = 1_000
const committedAtOnce = 32

/** The count of each kind of value. */
const counts = { secret: "signingSecrets", credentials: "credentials", url: "urls", definition: "urls" } as const

const positions = cursors("secrets", SealedPosition)

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { keyIdOf, keyIds, open, seal } = yield* SecretBox
  const { decideAndCommit } = yield* Decider
  const [present] = keyIds

  const isStale = ({ text }: SealedValue) => keyIdOf(text) !== present

  // URLs that earlier versions stored are clear text.
  const opened = ({ column, text }: SealedValue) =>
    (column === "url" || column === "definition") && keyIdOf(text) === null ? Effect.succeed(text) : open(text)

  const load = (of: SealedValue): Effect.Effect<StaleValue | null, ReadError> =>
    Effect.flatMap(sealedValue(storage, of), (value) =>
      value === null || !isStale(value)
        ? Effect.succeed(null)
        : opened(value).pipe(
            Effect.catchAll(({ reason }) =>
              Effect.as(Effect.logWarning(`the ${value.column} of ${value.id} was not resealed: it ${reason}`), null)
            ),
            Effect.map((secret) => ({ value, secret }))
          )
    )

  return AdminSecrets.of({
    status: Effect.gen(function* () {
      const uses = new Map<string | null, Omit<SecretKeyUse, "key" | "use">>()
      const unused = { signingSecrets: 0, credentials: 0, urls: 0 }
      for (const key of keyIds) uses.set(key, unused)
      let position: SealedPosition | null = firstPosition
      while (position !== null) {
        const { next, values }: SealedValues = yield* sealedValues(storage, position, scanBatchSize)
        for (const { column, text } of values) {
          const key = keyIdOf(text)
          const use = uses.get(key) ?? unused
          uses.set(key, { ...use, [counts[column]]: use[counts[column]] + 1 })
        }
        position = next
      }
      const useOf = (key: string | null) =>
        key === present ? "present" : key !== null && keyIds.includes(key) ? "previous" : "missing"
      return [...uses].map(([key, use]) => ({ key, use: useOf(key), ...use }))
    }),
    rotate: (decoded) =>
      Effect.gen(function* () {
        const { cursor } = decoded.value
        const from = cursor == null ? Either.right(firstPosition) : positions.decode({}, cursor)
        yield* complete(decoded, Either.isLeft(from) ? { cursor: [from.left] } : {})
        const { next, values } = yield* sealedValues(
          storage,
          Either.getOrElse(from, () => firstPosition),
          stepSize
        )
        // One commit for each value; the storage writes concurrent commits in one batch. Those of a row are sequential,
        // because versions of workflows have no number that a commit could expect.
        const ofRows = Arrays.groupBy(values.filter(isStale), ({ id }) => id)
        const outcomes = yield* Effect.forEach(
          Object.values(ofRows),
          (ofRow) =>
            Effect.forEach(ofRow, (value) =>
              decideAndCommit(load(value), (stale, now, ids) => resealValue(stale, seal, now, ids))
            ),
          { concurrency: committedAtOnce }
        )
        const count = (outcome: Resealing) => outcomes.flat().filter((one) => one === outcome).length
        return {
          key: present,
          examined: values.length,
          resealed: count("resealed"),
          unreadable: count("unreadable"),
          cursor: next === null ? null : positions.encode({}, next)
        }
      }).pipe(commitAtOnce)
  })
})
