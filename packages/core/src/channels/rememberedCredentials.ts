import { Effect } from "effect"
import type { SecretBox, SecretUnreadable } from "../ports/SecretBox.js"
import type { Connection } from "./Connection.js"
import { openCredentials } from "./openCredentials.js"

/** How many connections' credentials are remembered: those that were asked for last. */
const most = 1_000

/**
 * {@link openCredentials}, for where a connection is asked for again and again: what was opened is remembered by its sealed text,
 * so that other credentials are never taken for these, and answered as the same object.
 */
export const rememberedCredentials = (
  secretBox: Pick<SecretBox, "open">
): ((connection: Pick<Connection, "credentials">) => Effect.Effect<unknown, SecretUnreadable>) => {
  const opened = new Map<string, unknown>()
  return (connection) => {
    const { credentials: sealed } = connection
    if (sealed === null) return Effect.succeed(null)
    const known = opened.get(sealed)
    if (known !== undefined) {
      opened.delete(sealed)
      opened.set(sealed, known)
      return Effect.succeed(known)
    }
    return Effect.tap(openCredentials(secretBox, connection), (credentials) =>
      Effect.sync(() => {
        opened.set(sealed, credentials)
        for (const oldest of opened.keys()) {
          if (opened.size <= most) break
          opened.delete(oldest)
        }
      })
    )
  }
}
