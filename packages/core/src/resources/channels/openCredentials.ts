import { Effect } from "effect"
import type { Connection } from "../../model/Connection.js"
import type { SecretBox, SecretUnreadable } from "../../ports/SecretBox.js"

/** Decrypts the provider's credentials of a connection; null if it has none. */
export const openCredentials = (
  { open }: Pick<SecretBox, "open">,
  { credentials }: Pick<Connection, "credentials">
): Effect.Effect<unknown, SecretUnreadable> =>
  credentials === null ? Effect.succeed(null) : Effect.map(open(credentials), (text): unknown => JSON.parse(text))
