import {
  AuditEntryResource,
  type EndpointResource,
  LaneStatusResource,
  type ListedDeliveryResource,
  LoggedRequestResource,
  NotificationResource,
  RetentionResource,
  RotationResource,
  SecretKeyUseResource,
  SecretsResource,
  StatusResource,
  UnknownEventResource
} from "@parley/core"
import { type Entries, entry } from "./Glossary.js"
import { story } from "./story.js"

const workspace_id = story.workspaceId

const created_at = story.began

const _endpoint: typeof EndpointResource.Encoded = {
  id: story.endpointId,
  application_id: story.applicationId,
  url: "https://shop.example.org/hooks/parley",
  events: ["message.delivered", "message.failed"],
  description: null,
  status: "active",
  consecutive_failures: 0,
  created_at
}

const _delivery: typeof ListedDeliveryResource.Encoded = {
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

/** The resources of what runs: its state, its logs, its secrets. */
export const operationsEntries: Entries = {
  Status: entry(StatusResource, {
    description: "How the service is, and what may want attention.",
    example: {
      time: story.delivered,
      clock_skew_ms: 0,
      lanes: [laneStatus],
      recent_deliveries: { delivered: 997, pending: 1, failed: 2 },
      disabled_endpoints: [],
      inactive_workspaces: [],
      suspended_applications: [],
      inactive_connections: [],
      notifications: []
    },
    fields: {
      clock_skew_ms: "How far the storage's clock is off the answering host's at least.",
      lanes: "The queue of all hosts.",
      recent_deliveries: "What became of the newest 1,000.",
      disabled_endpoints: "The newest 100, disabled by failures or by an administrator.",
      inactive_workspaces: "The newest 100, suspended or unavailable.",
      suspended_applications: "The newest 100.",
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
  UnknownEvent: entry(UnknownEventResource, {
    description: "Something that a vendor sent and nobody understood, kept as long as the request log.",
    example: {
      id: story.unknownEventId,
      connection_id: story.connectionId,
      kind: "reaction",
      raw: '{"type":"reaction","reaction":{"emoji":"👍"}}',
      created_at
    },
    fields: {
      kind: "What the vendor calls it, as far as it can be told.",
      raw: "As it came, at most 64 KiB of it; of what could be read and not carried out, JSON that has a `problem` too."
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
    example: { events_days: 90, deliveries_days: 90, attempts_days: 30, request_log_days: 30, runs_days: 90 }
  })
}
