import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { RotationInput, RotationResource, SecretsResource } from "@parley/core"
import { single } from "../contract/single.js"

/** The key that signing secrets and provider credentials are sealed under (decisions.md §15). */
export const SecretsGroup = HttpApiGroup.make("secrets")
  .add(
    HttpApiEndpoint.get("status")`/secrets`
      .addSuccess(single(SecretsResource))
      .annotate(OpenApi.Summary, "Count what is sealed under which key")
  )
  .add(
    HttpApiEndpoint.post("rotate")`/secrets/rotate`
      .setPayload(RotationInput)
      .addSuccess(single(RotationResource))
      .annotate(
        OpenApi.Summary,
        "Seal the next values under the present key; repeat it with the cursor until that is null"
      )
  )
  .annotate(OpenApi.Title, "Secrets")
  .annotate(
    OpenApi.Description,
    "What signing secrets and provider credentials are encrypted with, never what they are."
  )
