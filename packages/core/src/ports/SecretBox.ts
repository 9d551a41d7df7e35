import { Context, Data, type Effect } from "effect"

/** What was sealed cannot be opened: another key, or altered. */
export class SecretUnreadable extends Data.TaggedError("SecretUnreadable")<{ readonly reason: string }> {}

/**
 * Encryption at rest for secrets that must be shown to others again: signing secrets, provider credentials. It seals under
 * one key, and opens what was sealed under that one or under others that it still has, so that keys can be rotated.
 */
export interface SecretBox {
  /** Text that only {@link open} can read. */
  readonly seal: (secret: string) => string
  readonly open: (sealed: string) => Effect.Effect<string, SecretUnreadable>
  /** Names the keys that it has, and gives nothing of them away: the one that seals, then those that only open. */
  readonly keyIds: readonly [present: string, ...previous: ReadonlyArray<string>]
  /** Names the key that a text was sealed under, which the box may not have; null where it is no sealed secret. */
  readonly keyIdOf: (sealed: string) => string | null
  /** A signature, in base64url, of a text that we hand out and want to know again. Who has it can read nothing sealed. */
  readonly sign: (text: string) => string
  /** Whether {@link sign} made this of that text, under any of the keys; in constant time. */
  readonly verifies: (text: string, signature: string) => boolean
}
export const SecretBox = Context.GenericTag<SecretBox>("@parley/core/SecretBox")
