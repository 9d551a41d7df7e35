import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import {
  ApiKeyResource,
  ApplicationInput,
  ApplicationPatch,
  ApplicationResource,
  IssuedApiKeyResource,
  IssuedOAuthClientResource,
  ListQuery,
  OAuthClientResource,
  WorkspaceListQuery
} from "@parley/core"
import { cursorPage } from "../contract/cursorPage.js"
import { ShowsSecret } from "../contract/IdempotencyKey.js"
import { pathId } from "../contract/pathId.js"
import { Raises } from "../contract/Raises.js"
import { single } from "../contract/single.js"

const id = pathId("id", "application")
const keyId = pathId("key_id", "API key")
const client = pathId("client", "OAuth client")

/**
 * Applications, the callers of the interface, with their API keys and OAuth clients
 * (docs/reference/administration.md#applications-and-credentials).
 */
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
      .annotate(Raises, ["invalid_transition"])
      .annotate(OpenApi.Summary, "Change an application, suspend or activate it")
  )
  .add(
    HttpApiEndpoint.post("issueKey")`/applications/${id}/api-keys`
      .addSuccess(single(IssuedApiKeyResource), { status: 201 })
      .annotate(ShowsSecret, true)
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
      .annotate(Raises, ["invalid_transition"])
      .annotate(ShowsSecret, true)
      .annotate(OpenApi.Summary, "Replace an API key: the old one stops working at once")
  )
  .add(
    HttpApiEndpoint.del("revokeKey")`/applications/${id}/api-keys/${keyId}`
      .addSuccess(single(ApiKeyResource))
      .annotate(OpenApi.Summary, "Revoke an API key")
  )
  .add(
    HttpApiEndpoint.post("issueClient")`/applications/${id}/oauth-clients`
      .addSuccess(single(IssuedOAuthClientResource), { status: 201 })
      .annotate(ShowsSecret, true)
      .annotate(OpenApi.Summary, "Issue an OAuth client; its secret is shown this once")
  )
  .add(
    HttpApiEndpoint.get("listClients")`/applications/${id}/oauth-clients`
      .setUrlParams(ListQuery)
      .addSuccess(cursorPage(OAuthClientResource))
      .annotate(OpenApi.Summary, "List an application's OAuth clients, newest first")
  )
  .add(
    HttpApiEndpoint.post("rotateClient")`/applications/${id}/oauth-clients/${client}/rotate`
      .addSuccess(single(IssuedOAuthClientResource), { status: 201 })
      .annotate(Raises, ["invalid_transition"])
      .annotate(ShowsSecret, true)
      .annotate(OpenApi.Summary, "Replace an OAuth client's secret: the old one and its tokens stop working at once")
  )
  .add(
    HttpApiEndpoint.del("revokeClient")`/applications/${id}/oauth-clients/${client}`
      .addSuccess(single(OAuthClientResource))
      .annotate(OpenApi.Summary, "Revoke an OAuth client and its tokens")
  )
  .annotate(OpenApi.Title, "Applications")
  .annotate(OpenApi.Description, "The callers of the public interface, with their API keys and OAuth clients.")
