import {
  AdminLeadResource,
  AdminTemplateResource,
  AgentResource,
  ApiKeyResource,
  ApplicationResource,
  AttemptResource,
  ConnectionResource,
  CustomFieldResource,
  DeliveryResource,
  EndpointResource,
  EndpointWithSecretResource,
  IssuedApiKeyResource,
  IssuedOAuthClientResource,
  ListedDeliveryResource,
  OAuthClientResource,
  PipelineResource,
  scopes,
  TeamResource,
  WorkflowResource,
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

const endpoint: typeof EndpointResource.Encoded = {
  id: story.endpointId,
  application_id: story.applicationId,
  url: "https://shop.example.org/hooks/parley",
  events: ["message.delivered", "message.failed"],
  description: null,
  status: "active",
  consecutive_failures: 0,
  created_at
}

const endpointFields = {
  consecutive_failures: "Failed attempts since the last one that succeeded; 25 disable the endpoint."
}

const attempt: typeof AttemptResource.Encoded = {
  id: story.attemptId,
  number: 1,
  started_at: story.delivered,
  duration_ms: 41,
  status: 200,
  error: null,
  answer: "ok"
}

const delivery: typeof ListedDeliveryResource.Encoded = {
  id: story.deliveryId,
  application_id: story.applicationId,
  endpoint_id: story.endpointId,
  event_id: story.eventId,
  event_type: "message.delivered",
  status: "delivered",
  attempt_count: 1,
  created_at: story.delivered,
  completed_at: story.delivered
}

const deliveryFields = { event_type: "Null once the event is no longer kept." }
const revoked = { revoked_at: "When it stopped working." }
const lastFour = { last_four: "The last four characters, to tell it by." }

/** The resources of the administration that the public interface does not have. */
export const adminResources: Entries = {
  Workspace: entry(WorkspaceResource, {
    description: "A boundary: nothing inside is seen from another one.",
    example: { id: workspace_id, name: "Acme", default_language: "en", status: "active", created_at }
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
  }),
  WebhookEndpoint: entry(EndpointResource, {
    description: "Where an application is told of events.",
    example: endpoint,
    fields: endpointFields
  }),
  WebhookEndpointWithSecret: entry(EndpointWithSecretResource, {
    description: "A webhook endpoint with its signing secret, this once.",
    example: { ...endpoint, secret: story.endpointSecret },
    fields: endpointFields
  }),
  ListedWebhookDelivery: entry(ListedDeliveryResource, {
    description: "A delivery as lists have it: without its attempts.",
    example: delivery,
    fields: deliveryFields
  }),
  WebhookDelivery: entry(DeliveryResource, {
    description: "The duty to tell one endpoint of one event, with every attempt that is still kept.",
    example: { ...delivery, attempts: [attempt] },
    fields: deliveryFields
  }),
  WebhookAttempt: entry(AttemptResource, {
    description: "An attempt at a delivery.",
    example: attempt,
    fields: {
      status: "Null where there was no answer.",
      error: "Why there was none.",
      answer: "The answer's beginning."
    }
  }),
  Connection: entry(ConnectionResource, {
    description: "An account on a channel; its credentials are never shown.",
    example: {
      id: story.connectionId,
      workspace_id,
      channel: "whatsapp",
      provider: "sandbox",
      name: "Shop",
      handle: "+4930123456",
      status: "active",
      is_test: true,
      config: {},
      created_at
    }
  }),
  AdminTemplate: entry(AdminTemplateResource, {
    description: "A text with slots, approved before it is sent.",
    example: {
      id: story.templateId,
      workspace_id,
      name: "order_shipped",
      channel: "whatsapp",
      language: "en",
      category: "utility",
      status: "approved",
      is_sendable: true,
      body: "Hello {{1}}, your order {{2}} is on its way.",
      variables: ["1", "2"],
      created_at
    },
    fields: { variables: "The names of the slots, in the order of their values." }
  }),
  Pipeline: entry(PipelineResource, {
    description: "The stages that leads move through.",
    example: {
      id: story.pipelineId,
      workspace_id,
      name: "Sales",
      stages: [
        { key: "new", name: "New" },
        { key: "won", name: "Won" }
      ],
      created_at
    },
    fields: { stages: "In their order." }
  }),
  AdminLead: entry(AdminLeadResource, {
    description: "A contact's way through a pipeline.",
    example: {
      id: story.leadId,
      workspace_id,
      contact_id: story.contactId,
      pipeline_id: story.pipelineId,
      stage: "new",
      title: "Yearly plan",
      value: 1_200,
      currency: "EUR",
      created_at,
      updated_at: created_at
    },
    fields: { stage: "The key of a stage of the pipeline." }
  }),
  CustomField: entry(CustomFieldResource, {
    description: "A field that the workspace adds to its contacts.",
    example: { workspace_id, key: "shoe_size", type: "number", label: "Shoe size" }
  }),
  Agent: entry(AgentResource, {
    description: "Somebody who answers customers.",
    example: {
      id: story.agentId,
      workspace_id,
      name: "Grace",
      email: "grace@example.com",
      status: "active",
      created_at
    }
  }),
  Team: entry(TeamResource, {
    description: "Agents who work together.",
    example: { id: story.teamId, workspace_id, name: "Support", agent_ids: [story.agentId], created_at }
  }),
  Workflow: entry(WorkflowResource, {
    description: "An automation that a business event starts, once it is published.",
    example: {
      id: story.workflowId,
      workspace_id,
      name: "Tell of shipping",
      status: "published",
      trigger: { type: "external_event", event: "order.shipped" },
      created_at
    }
  })
}
