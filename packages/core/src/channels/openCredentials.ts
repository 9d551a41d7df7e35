import { Effect } from "effect"
import type { SecretBox, SecretUnreadable } from "../ports/SecretBox.js"
import type { Connection } from "./Connection.js"

/** The provider's credentials of a connection as they were given; null where it needs none. */
export const openCredentials = (
  { open }: Pick<SecretBox, "open">,
  { credentials }: Pick<Connection, "credentials">
): Effect.Effect<unknown, SecretUnreadable> =>
  credentials === null ? Effect.succeed(null) : Effect.map(open(credentials), (text): unknown => JSON.parse(text))
