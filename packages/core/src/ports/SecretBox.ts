import { Context, Data, type Effect } from "effect"

/** What was sealed cannot be opened: another key, or altered. */
export class SecretUnreadable extends Data.TaggedError("SecretUnreadable")<{ readonly reason: string }> {}

/** Encryption at rest for secrets that must be shown to others again: signing secrets, provider credentials. */
export interface SecretBox {
  /** Text that only {@link open} can read. */
  readonly seal: (secret: string) => string
  readonly open: (sealed: string) => Effect.Effect<string, SecretUnreadable>
}
export const SecretBox = Context.GenericTag<SecretBox>("@parley/core/SecretBox")
