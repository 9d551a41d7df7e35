/** An endpoint of the public interface. */
export interface Endpoint {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly success: number
  /**
   * A caller needs one of these scopes (docs/reference/authentication.md#scopes-by-endpoint); none: the endpoint
   * requires no scope.
   */
  readonly scopes: ReadonlyArray<string>
  readonly query: ReadonlyArray<string>
  readonly isIdempotent: boolean
}

const endpoint = (
  method: Endpoint["method"],
  path: string,
  success: number,
  scopes: ReadonlyArray<string>,
  more: Partial<Endpoint> = {}
): Endpoint => ({ method, path, success, scopes, query: [], isIdempotent: false, ...more })

const created = { isIdempotent: true }
const paged = ["page", "per_page"]
const walked = ["limit", "cursor"]

/** The endpoints with their scopes (docs/reference/authentication.md#scopes-by-endpoint). */
export const endpoints: ReadonlyArray<Endpoint> = [
  endpoint("POST", "/oauth/token", 200, []),
  endpoint("GET", "/contacts", 200, ["contacts.read"], {
    query: ["search", "lifecycle_stage", "tag", "channel", "created_after", ...paged]
  }),
  endpoint("POST", "/contacts", 201, ["contacts.write"], created),
  endpoint("GET", "/contacts/{contact}", 200, ["contacts.read"]),
  endpoint("POST", "/messages", 202, ["messages.send", "templates.send"], created),
  endpoint("GET", "/messages/{id}", 200, ["messages.read", "messages.status"]),
  endpoint("GET", "/conversations", 200, ["messages.read"], {
    query: ["contact_id", "connection_id", "status", ...walked]
  }),
  endpoint("GET", "/conversations/{id}", 200, ["messages.read"]),
  endpoint("GET", "/conversations/{id}/messages", 200, ["messages.read"], { query: walked }),
  endpoint("POST", "/conversations/{id}/typing", 200, ["messages.send"]),
  endpoint("POST", "/conversations/{id}/read", 200, ["messages.send"]),
  endpoint("POST", "/attachments", 201, ["messages.send", "templates.send"], { query: ["file_name"], ...created }),
  endpoint("GET", "/attachments/{id}", 200, ["messages.send", "templates.send"]),
  endpoint("GET", "/templates", 200, ["templates.read"], { query: ["language", "include_unapproved", ...paged] }),
  endpoint("POST", "/leads", 201, ["leads.create"], created),
  endpoint("POST", "/events", 202, ["events.send"], created),
  endpoint("GET", "/channels", 200, [], { query: paged })
]

/** The event types, each with the keys of its `data` (docs/reference/events.md#event-types). */
export const eventTypes: { readonly [type: string]: ReadonlyArray<string> } = {
  "message.received": ["message"],
  "message.queued": ["message"],
  "message.sent": ["message"],
  "message.delivered": ["message"],
  "message.read": ["message"],
  "message.failed": ["message"],
  "conversation.created": ["conversation"],
  "conversation.assigned": ["conversation", "previous_user_id", "previous_team_id"],
  "conversation.status_changed": ["conversation", "previous_status"],
  "contact.created": ["contact"],
  "contact.updated": ["contact"],
  "lead.created": ["lead"],
  "lead.stage_changed": ["lead", "from_stage", "to_stage"],
  "bot.started": ["conversation", "bot"],
  "bot.handoff": ["conversation", "bot"],
  "bot.completed": ["conversation", "bot"],
  "webhook.test": ["test"],
  "enqueued.failed": ["enqueued"]
}

/** Every error code with its status (docs/reference/errors.md#codes-of-the-public-interface). */
export const errorCodes: { readonly [code: string]: number } = {
  ...{ unauthenticated: 401, forbidden: 403, not_found: 404, validation_failed: 422, rate_limited: 429 },
  ...{ idempotency_conflict: 409, identity_already_claimed: 409, connection_owned_elsewhere: 409 },
  ...{ channel_unavailable: 422, provider_error: 502, template_not_approved: 422, outside_service_window: 422 },
  ...{ account_suspended: 403, method_not_allowed: 405, payload_too_large: 413, internal_error: 500, bad_request: 400 },
  ...{ service_unavailable: 503, google_email_not_invited: 403, channel_setup_failed: 422, insufficient_balance: 422 },
  ...{ invitation_not_found: 404, invitation_expired: 410, invitation_revoked: 410, invitation_resend_throttled: 429 },
  ...{ google_email_mismatch: 422, invitation_not_accepted: 403, registration_closed: 403, verification_failed: 422 },
  ...{ workspace_unavailable: 423, workspace_suspended: 423, invalid_tenant_transition: 409, invalid_transition: 409 },
  ...{ mode_switch_in_progress: 409, ownership_required: 403, feature_not_in_plan: 402, limit_reached: 402 },
  ...{ plan_change_refused: 422, plan_in_use: 409, nothing_owed: 422, refund_refused: 422 },
  ...{
    method_disabled_by_platform: 422,
    whatsapp_sender_not_configured: 422,
    coupon_invalid: 422,
    coupon_expired: 422
  },
  ...{ coupon_exhausted: 422, coupon_not_applicable: 422, coupon_already_used: 422 }
}
