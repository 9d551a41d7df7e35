import {
  ApiKeyResource,
  ApplicationResource,
  IssuedApiKeyResource,
  IssuedOAuthClientResource,
  OAuthClientResource,
  scopes,
  WorkspaceResource
} from "@parley/core"
import { type Entries, entry } from "./Glossary.js"
import { story } from "./story.js"

const workspace_id = story.workspaceId

const created_at = story.began

const apiKey: typeof ApiKeyResource.Encoded = {
  id: story.keyId,
  application_id: story.applicationId,
  last_four: "stuv",
  created_at,
  revoked_at: null
}

const oauthClient: typeof OAuthClientResource.Encoded = {
  ...apiKey,
  id: story.oauthClientId,
  client_id: story.clientId
}

const revoked = { revoked_at: "When it stopped working." }

const lastFour = { last_four: "The last four characters, to tell it by." }

/** The resources of who may do what: workspaces, applications and their credentials. */
export const accessEntries: Entries = {
  Workspace: entry(WorkspaceResource, {
    description: "A boundary: nothing inside is seen from another one.",
    example: {
      id: workspace_id,
      name: "Acme",
      default_language: "en",
      timezone: "Europe/Berlin",
      status: "active",
      created_at
    }
  }),
  Application: entry(ApplicationResource, {
    description: "A caller of the public interface.",
    example: {
      id: story.applicationId,
      workspace_id,
      name: "Shop",
      mode: "test",
      scopes: [...scopes],
      connection_ids: [story.connectionId],
      limits: { requests_per_minute: 1_200, sends_per_minute: 100 },
      status: "active",
      created_at
    },
    fields: { connection_ids: "The connections that it may send on and hears about.", limits: "Calls a minute." }
  }),
  ApiKey: entry(ApiKeyResource, {
    description: "An API key; the key itself is shown once, when it is issued.",
    example: apiKey,
    fields: { ...revoked, ...lastFour }
  }),
  IssuedApiKey: entry(IssuedApiKeyResource, {
    description: "An API key with the key itself, this once.",
    example: { ...apiKey, key: story.apiKey },
    fields: { ...revoked, ...lastFour }
  }),
  OAuthClient: entry(OAuthClientResource, {
    description: "An OAuth client; its secret is shown once, when it is issued.",
    example: oauthClient,
    fields: { ...revoked, ...lastFour }
  }),
  IssuedOAuthClient: entry(IssuedOAuthClientResource, {
    description: "An OAuth client with its secret, this once.",
    example: { ...oauthClient, client_secret: story.clientSecret },
    fields: { ...revoked, ...lastFour }
  })
}
