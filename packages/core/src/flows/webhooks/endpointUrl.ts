import { Effect } from "effect"
import type { Endpoint } from "../../model/Endpoint.js"
import type { SecretBox, SecretUnreadable } from "../../ports/SecretBox.js"

/** The URL of an endpoint or a webhook call in clear text. Rows of earlier versions hold it unsealed. */
export const openUrl = (
  { keyIdOf, open }: SecretBox,
  { url }: Pick<Endpoint, "url">
): Effect.Effect<string, SecretUnreadable> => (keyIdOf(url) === null ? Effect.succeed(url) : open(url))

/**
 * An endpoint or a webhook call with its URL in clear text, for an administrator; with an empty URL if this host cannot
 * open it.
 */
export const withOpenUrl = <A extends Pick<Endpoint, "url">>(secretBox: SecretBox, holder: A): Effect.Effect<A> =>
  Effect.map(
    Effect.catchTag(openUrl(secretBox, holder), "SecretUnreadable", () => Effect.succeed("")),
    (url) => ({ ...holder, url })
  )
