import { Context, Effect, Either, Layer } from "effect"
import { Decider } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import { cursors } from "../../input/Cursor.js"
import { complete } from "../../input/complete.js"
import type { Draft } from "../../input/Draft.js"
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

/** How much is sealed under one key. */
export interface SecretKeyUse {
  /** Names the key and gives nothing of it away; null of what is no sealed secret. */
  readonly key: string | null
  /** The key that seals, one that only opens, or one that this host does not have. */
  readonly use: "present" | "previous" | "missing"
  /** Of webhook endpoints and of workflows. */
  readonly signingSecrets: number
  /** Of connections. */
  readonly credentials: number
}

/** What one step of a rotation did. */
export interface Rotation {
  /** The key that is sealed under now. */
  readonly key: string
  readonly examined: number
  readonly resealed: number
  /** Sealed under a key that this host does not have, or altered: they stay as they are. */
  readonly unreadable: number
  /** Where the next step begins; null after the last one. */
  readonly cursor: string | null
}

/** Rotation of the key that signing secrets and provider credentials are sealed under (decisions.md §15). */
export interface AdminSecrets {
  /** How much is sealed under which key: this host's own, also where nothing is, then others. Reads all of it. */
  readonly status: Effect.Effect<ReadonlyArray<SecretKeyUse>, ReadError>
  /**
   * Seals what is under another key than the present one under that, a step of {@link stepSize} values at a time. Walking all
   * of it again, or again from any cursor, does no harm.
   */
  readonly rotate: (draft: Draft<RotationInput>) => Effect.Effect<Rotation, Refusal | CommitError>
}
export const AdminSecrets = Context.GenericTag<AdminSecrets>("@parley/core/AdminSecrets")

/** How many values a step of a rotation looks at. */
export const stepSize = 200
const readAtOnce = 1_000
const committedAtOnce = 32

const positions = cursors("secrets", SealedPosition)

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { keyIdOf, keyIds, open, seal } = yield* SecretBox
  const { decideAndCommit } = yield* Decider
  const [present] = keyIds

  const isStale = ({ text }: SealedValue) => keyIdOf(text) !== present

  const load = (of: SealedValue): Effect.Effect<StaleValue | null, ReadError> =>
    Effect.flatMap(sealedValue(storage, of), (value) =>
      value === null || !isStale(value)
        ? Effect.succeed(null)
        : open(value.text).pipe(
            Effect.catchAll(({ reason }) =>
              Effect.as(Effect.logWarning(`what was sealed for ${value.id} stays as it is: it ${reason}`), null)
            ),
            Effect.map((secret) => ({ value, secret }))
          )
    )

  return AdminSecrets.of({
    status: Effect.gen(function* () {
      const uses = new Map<string | null, Pick<SecretKeyUse, "signingSecrets" | "credentials">>()
      const unused = { signingSecrets: 0, credentials: 0 }
      for (const key of keyIds) uses.set(key, unused)
      let position: SealedPosition | null = firstPosition
      while (position !== null) {
        const { next, values }: SealedValues = yield* sealedValues(storage, position, readAtOnce)
        for (const { place, text } of values) {
          const key = keyIdOf(text)
          const { credentials, signingSecrets } = uses.get(key) ?? unused
          uses.set(
            key,
            place === "connections"
              ? { credentials: credentials + 1, signingSecrets }
              : { credentials, signingSecrets: signingSecrets + 1 }
          )
        }
        position = next
      }
      const useOf = (key: string | null) =>
        key === present ? "present" : key !== null && keyIds.includes(key) ? "previous" : "missing"
      return [...uses].map(([key, counts]) => ({ key, use: useOf(key), ...counts }))
    }),
    rotate: (draft) =>
      Effect.gen(function* () {
        const { cursor } = draft.value
        const from = cursor == null ? Either.right(firstPosition) : positions.decode({}, cursor)
        yield* complete(draft, Either.isLeft(from) ? { cursor: [from.left] } : {})
        const { next, values } = yield* sealedValues(
          storage,
          Either.getOrElse(from, () => firstPosition),
          stepSize
        )
        // Each is a commit of its own; the storage writes those that come together as one.
        const outcomes = yield* Effect.forEach(
          values.filter(isStale),
          (value) => decideAndCommit(load(value), (stale, now, ids) => resealValue(stale, seal, now, ids)),
          { concurrency: committedAtOnce }
        )
        const count = (outcome: Resealing) => outcomes.filter((one) => one === outcome).length
        return {
          key: present,
          examined: values.length,
          resealed: count("resealed"),
          unreadable: count("unreadable"),
          cursor: next === null ? null : positions.encode({}, next)
        }
      })
  })
})

export const layer: Layer.Layer<AdminSecrets, never, Storage | Decider | SecretBox> = Layer.effect(AdminSecrets, make)
