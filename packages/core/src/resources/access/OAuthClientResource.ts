import { Schema } from "effect"
import { samples } from "../../kernel/input/samples.js"
import { applicationId, component, createdAt, ids, wire } from "../../kernel/input/wire.js"
import { Timestamp } from "../../model/Instant.js"

const fields = {
  id: ids.oauthClient,
  applicationId,
  clientId: wire("client_id", Schema.String, { examples: [samples.clientId] }),
  lastFour: wire("last_four", Schema.String, {
    description: "The last four characters, to recognise the key.",
    examples: ["stuv"]
  }),
  createdAt,
  revokedAt: wire("revoked_at", Schema.NullOr(Timestamp), { description: "When it stopped working." })
}

/** An OAuth client on the wire: never its secret (docs/reference/authentication.md#oauth-clients). */
export const OAuthClientResource = component(
  "OAuthClient",
  "An OAuth client; its secret is shown once, when it is issued.",
  fields
)

/** An OAuth client as it is shown once, with a new secret. */
export const IssuedOAuthClientResource = component(
  "IssuedOAuthClient",
  "An OAuth client with its secret, shown this once.",
  {
    ...fields,
    clientSecret: wire("client_secret", Schema.String, { examples: [samples.clientSecret] })
  }
)
