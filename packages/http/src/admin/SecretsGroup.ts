import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { RotationInput, RotationResource, SecretsResource } from "@parley/core"
import { single } from "../contract/single.js"

/** The key that encrypts signing secrets and provider credentials (docs/reference/administration.md#secrets). */
export const SecretsGroup = HttpApiGroup.make("secrets")
  .add(
    HttpApiEndpoint.get("status")`/secrets`
      .addSuccess(single(SecretsResource))
      .annotate(OpenApi.Summary, "Count encrypted values by key")
  )
  .add(
    HttpApiEndpoint.post("rotate")`/secrets/rotate`
      .setPayload(RotationInput)
      .addSuccess(single(RotationResource))
      .annotate(
        OpenApi.Summary,
        "Encrypt the next values under the current key; repeat with the cursor until it is null"
      )
  )
  .annotate(OpenApi.Title, "Secrets")
  .annotate(
    OpenApi.Description,
    "The key that encrypts signing secrets and provider credentials. The values are never shown."
  )
