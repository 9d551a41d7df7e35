import {
  AdminLeadResource,
  AdminTemplateResource,
  AgentResource,
  ApiKeyResource,
  ApplicationResource,
  AttemptResource,
  AuditEntryResource,
  ConnectionResource,
  CustomFieldResource,
  DeliveryResource,
  EndpointResource,
  EndpointWithSecretResource,
  IssuedApiKeyResource,
  IssuedOAuthClientResource,
  LaneStatusResource,
  ListedDeliveryResource,
  LoggedRequestResource,
  MessageWebhooksResource,
  NotificationResource,
  OAuthClientResource,
  PipelineResource,
  RecoveredResource,
  RetentionResource,
  RotationResource,
  SecretKeyUseResource,
  SecretsResource,
  StatusResource,
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
  completed_at: story.delivered,
  next_attempt_at: null,
  waiting_for: null
}

const rotatedKey = "3fa9c1d2"
const secretKeyUse: typeof SecretKeyUseResource.Encoded = {
  key: rotatedKey,
  use: "present",
  signing_secrets: 40,
  credentials: 3
}

const laneStatus: typeof LaneStatusResource.Encoded = {
  lane: "deliveries",
  due: 0,
  leased: 2,
  waiting: 14,
  oldest_due_at: null
}

const deliveryFields = {
  event_type: "Null once the event is no longer kept.",
  next_attempt_at: "When it is tried next; null where nothing is planned.",
  waiting_for: "What has to happen before it is tried again; null where it waits for nothing but its time."
}
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
  Recovered: entry(RecoveredResource, {
    description: "What a recover did.",
    example: { deliveries: 12, reached: story.began, cursor: null },
    fields: {
      deliveries: "How many deliveries go out.",
      reached: "How far back it looked: no further than deliveries are kept, however long ago was asked for.",
      cursor: "Where to go on, in the next call; null where it looked at all."
    }
  }),
  MessageWebhooks: entry(MessageWebhooksResource, {
    description: "What became of each event of a message at every endpoint of the workspace.",
    example: {
      message_id: story.messageId,
      events: [
        {
          event_id: story.eventId,
          event_type: "message.delivered",
          created_at: story.delivered,
          endpoints: [
            {
              endpoint_id: story.endpointId,
              application_id: story.applicationId,
              url: endpoint.url,
              status: "active",
              delivery: { ...delivery, attempts: [attempt] },
              absence: null,
              explanation: `delivered at ${story.delivered} (attempt 1)`
            }
          ]
        }
      ]
    },
    fields: {
      events: "Those that are kept, the first one first.",
      "events.endpoints.delivery": "Null where there is none.",
      "events.endpoints.absence": "Why there is no delivery, as things are now; null where there is one.",
      "events.endpoints.explanation": "What became of it, for a person."
    }
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
  Status: entry(StatusResource, {
    description: "How the service is, and what may want attention.",
    example: {
      time: story.delivered,
      clock_skew_ms: 0,
      lanes: [laneStatus],
      recent_deliveries: { delivered: 997, pending: 1, failed: 2 },
      disabled_endpoints: [],
      inactive_connections: [],
      notifications: []
    },
    fields: {
      clock_skew_ms: "How far the storage's clock is off the answering host's at least.",
      lanes: "The queue of all hosts.",
      recent_deliveries: "What became of the newest 1,000.",
      disabled_endpoints: "The newest 100, disabled by failures or by an administrator.",
      inactive_connections: "The newest 100, paused or disconnected.",
      notifications: "The newest five."
    }
  }),
  LaneStatus: entry(LaneStatusResource, {
    description: "How many jobs one lane of the queue has.",
    example: laneStatus,
    fields: {
      due: "Could be begun now.",
      leased: "Some host works on them.",
      waiting: "Their time is yet to come.",
      oldest_due_at: "Since when the oldest of those that are due is; null where none is."
    }
  }),
  LoggedRequest: entry(LoggedRequestResource, {
    description: "What an application asked, and what came of it. Neither bodies nor queries nor credentials are kept.",
    example: {
      id: story.requestId,
      workspace_id,
      application_id: story.applicationId,
      method: "POST",
      path: "/api/v1/messages",
      status: 202,
      duration_ms: 12,
      error_code: null,
      created_at: story.sent
    },
    fields: {
      id: "The `X-Request-ID` of the answer.",
      path: "Without the query; at most 255 characters.",
      error_code: "Null where the answer is no error.",
      created_at: "When the request came."
    }
  }),
  AuditEntry: entry(AuditEntryResource, {
    description: "Who changed what about access, and when.",
    example: {
      id: story.auditEntryId,
      workspace_id,
      application_id: story.applicationId,
      actor: "admin",
      action: "api_key.issued",
      subject_id: story.keyId,
      created_at
    },
    fields: {
      application_id: "Null where it concerns the workspace as a whole.",
      subject_id: "The id of what it was done to."
    }
  }),
  Notification: entry(NotificationResource, {
    description: "What the administrators of a workspace should know.",
    example: {
      id: story.notificationId,
      workspace_id,
      application_id: story.applicationId,
      kind: "webhook_endpoint.disabled",
      subject_id: story.endpointId,
      message: "The webhook endpoint failed 25 times in a row and is disabled.",
      created_at
    },
    fields: {
      application_id: "Null where it concerns them all.",
      subject_id: "The id of what it is about."
    }
  }),
  Secrets: entry(SecretsResource, {
    description: "What signing secrets and provider credentials are encrypted with.",
    example: { keys: [secretKeyUse, { key: "9b04e7aa", use: "previous", signing_secrets: 0, credentials: 0 }] },
    fields: { keys: "Those of the host that answers, also where nothing is sealed under them, then others." }
  }),
  SecretKeyUse: entry(SecretKeyUseResource, {
    description: "How much is sealed under one key.",
    example: secretKeyUse,
    fields: {
      key: "Names the key and gives nothing of it away; null of what is no sealed secret.",
      use: "`present` seals, `previous` only opens, and `missing` is not known to the host that answers.",
      signing_secrets: "Of how many webhook endpoints.",
      credentials: "Of how many connections."
    }
  }),
  SecretsRotation: entry(RotationResource, {
    description: "What one step of a rotation did.",
    example: { key: rotatedKey, examined: 43, resealed: 43, unreadable: 0, cursor: null },
    fields: {
      key: "Names the key that is sealed under now.",
      unreadable: "Sealed under a key that the host does not have, or altered: they stay as they are.",
      cursor: "Where the next step begins; null after the last one."
    }
  }),
  Retention: entry(RetentionResource, {
    description: "How long history is kept, in days. A delivery that waits is kept beyond it, and so is its event.",
    example: { events_days: 90, deliveries_days: 90, attempts_days: 30, request_log_days: 30 }
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
