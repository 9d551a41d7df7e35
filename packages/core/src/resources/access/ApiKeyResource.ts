import { Schema } from "effect"
import { samples } from "../../kernel/input/samples.js"
import { applicationId, component, createdAt, field, ids, wire } from "../../kernel/input/wire.js"
import { Timestamp } from "../../model/Instant.js"

const fields = {
  id: ids.apiKey,
  applicationId,
  lastFour: wire("last_four", Schema.String, {
    description: "The last four characters, to recognise the key.",
    examples: ["stuv"]
  }),
  createdAt,
  revokedAt: wire("revoked_at", Schema.NullOr(Timestamp), { description: "When it stopped working." })
}

/** An API key on the wire: never the key itself (docs/reference/authentication.md#api-keys). */
export const ApiKeyResource = component(
  "ApiKey",
  "An API key; the key itself is shown once, when it is issued.",
  fields
)

/** An API key as it is shown once, when it is issued (docs/reference/authentication.md#api-keys). */
export const IssuedApiKeyResource = component("IssuedApiKey", "An API key with the key itself, shown this once.", {
  ...fields,
  key: field(Schema.String, { examples: [samples.apiKey] })
})
