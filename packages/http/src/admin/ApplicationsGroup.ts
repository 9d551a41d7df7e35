import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import {
  ApiKeyResource,
  ApplicationInput,
  ApplicationPatch,
  ApplicationResource,
  IssuedApiKeyResource,
  ListQuery,
  uuid,
  WorkspaceListQuery
} from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { single } from "../contract/single.js"

const id = HttpApiSchema.param("id", uuid)
const keyId = HttpApiSchema.param("key_id", uuid)

/** Applications, the callers of the interface, and their API keys (spec, Authentication). */
export const ApplicationsGroup = HttpApiGroup.make("applications")
  .add(
    HttpApiEndpoint.post("create")`/applications`
      .setPayload(ApplicationInput)
      .addSuccess(single(ApplicationResource), { status: 201 })
      .annotate(OpenApi.Summary, "Create an application")
  )
  .add(
    HttpApiEndpoint.get("list")`/applications`
      .setUrlParams(WorkspaceListQuery)
      .addSuccess(cursorPage(ApplicationResource))
      .annotate(OpenApi.Summary, "List applications, newest first")
  )
  .add(
    HttpApiEndpoint.get("get")`/applications/${id}`
      .addSuccess(single(ApplicationResource))
      .annotate(OpenApi.Summary, "Read one application")
  )
  .add(
    HttpApiEndpoint.patch("update")`/applications/${id}`
      .setPayload(ApplicationPatch)
      .addSuccess(single(ApplicationResource))
      .annotate(OpenApi.Summary, "Change an application, suspend or activate it")
  )
  .add(
    HttpApiEndpoint.post("issueKey")`/applications/${id}/api-keys`
      .addSuccess(single(IssuedApiKeyResource), { status: 201 })
      .annotate(OpenApi.Summary, "Issue an API key; it is shown this once")
  )
  .add(
    HttpApiEndpoint.get("listKeys")`/applications/${id}/api-keys`
      .setUrlParams(ListQuery)
      .addSuccess(cursorPage(ApiKeyResource))
      .annotate(OpenApi.Summary, "List an application's API keys, newest first")
  )
  .add(
    HttpApiEndpoint.post("rotateKey")`/applications/${id}/api-keys/${keyId}/rotate`
      .addSuccess(single(IssuedApiKeyResource), { status: 201 })
      .annotate(OpenApi.Summary, "Replace an API key: the old one stops working at once")
  )
  .add(
    HttpApiEndpoint.del("revokeKey")`/applications/${id}/api-keys/${keyId}`
      .addSuccess(single(ApiKeyResource))
      .annotate(OpenApi.Summary, "Revoke an API key")
  )
  .annotate(OpenApi.Title, "Applications")
