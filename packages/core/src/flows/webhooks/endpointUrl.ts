import { Effect } from "effect"
import type { Endpoint } from "../../model/Endpoint.js"
import type { SecretBox, SecretUnreadable } from "../../ports/SecretBox.js"

/** The URL of an endpoint in clear text. Rows of versions before schema version 9 hold it unsealed. */
export const openUrl = (
  { keyIdOf, open }: SecretBox,
  { url }: Pick<Endpoint, "url">
): Effect.Effect<string, SecretUnreadable> => (keyIdOf(url) === null ? Effect.succeed(url) : open(url))

/** The endpoint with its URL in clear text, for an administrator; with an empty URL if this host cannot open it. */
export const withOpenUrl = (secretBox: SecretBox, endpoint: Endpoint): Effect.Effect<Endpoint> =>
  Effect.map(
    Effect.catchTag(openUrl(secretBox, endpoint), "SecretUnreadable", () => Effect.succeed("")),
    (url) => ({ ...endpoint, url })
  )
