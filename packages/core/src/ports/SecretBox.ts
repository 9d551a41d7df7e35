import { Context, Data, type Effect } from "effect"

/**
 * The sealed text cannot be opened: its key is missing, or it was altered. `reason`: the end of a sentence about the
 * text, such as "was altered"; of a missing key, with its id and what to do.
 */
export class SecretUnreadable extends Data.TaggedError("SecretUnreadable")<{ readonly reason: string }> {}

/**
 * Encryption at rest for secrets that must be readable again: signing secrets and provider credentials.
 *
 * Invariants:
 * - Seals under the present key. Opens text sealed under the present key or any previous one, so that keys can be
 *   rotated.
 * - Key ids reveal nothing about the keys.
 */
export interface SecretBox {
  /** Encrypts a secret; only {@link open} can read the result. */
  readonly seal: (secret: string) => string
  readonly open: (sealed: string) => Effect.Effect<string, SecretUnreadable>
  /** Ids of the keys: the present one, then the previous ones, which only open. */
  readonly keyIds: readonly [present: string, ...previous: ReadonlyArray<string>]
  /** Id of the key that sealed a text, even if the box lacks that key; null if the text is not sealed. */
  readonly keyIdOf: (sealed: string) => string | null
  /**
   * Signs a text that we publish and later verify, such as a file link. Base64url. Reveals nothing about sealed
   * secrets.
   */
  readonly sign: (text: string) => string
  /** Verifies a signature of {@link sign} under any of the keys, in constant time. */
  readonly verifies: (text: string, signature: string) => boolean
  /** The signatures of a text under each of the keys, the present one first. Compare with them in constant time. */
  readonly signatures: (text: string) => ReadonlyArray<string>
}
export const SecretBox = Context.GenericTag<SecretBox>("@parley/core/SecretBox")
