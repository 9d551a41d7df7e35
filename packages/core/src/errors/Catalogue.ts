/**
 * Every error code of the interface with its HTTP status and meaning (spec, Errors). The one place for them: answers, the
 * OpenAPI document and the documentation come from here.
 */
export const catalogue = {
  unauthenticated: { status: 401, meaning: "authentication required" },
  forbidden: { status: 403, meaning: "missing scope (`details.required_scope`), channel not allowed" },
  not_found: { status: 404, meaning: "missing or invisible resource" },
  validation_failed: { status: 422, meaning: "invalid data" },
  rate_limited: { status: 429, meaning: "too many requests" },
  idempotency_conflict: { status: 409, meaning: "key reused with different body, or first request still running" },
  identity_already_claimed: { status: 409, meaning: "handle belongs to another contact; merge instead" },
  connection_owned_elsewhere: { status: 409, meaning: "account connected to another workspace" },
  channel_unavailable: { status: 422, meaning: "channel connection not available" },
  provider_error: { status: 502, meaning: "upstream provider error; `details` carries what it said" },
  template_not_approved: { status: 422, meaning: "template not approved or not sendable on that channel" },
  outside_service_window: { status: 422, meaning: "service window expired; send a template" },
  account_suspended: { status: 403, meaning: "account suspended" },
  method_not_allowed: { status: 405, meaning: "method unsupported for the route" },
  payload_too_large: { status: 413, meaning: "payload too large" },
  internal_error: { status: 500, meaning: "unexpected error" },
  bad_request: { status: 400, meaning: "request not understood" },
  service_unavailable: { status: 503, meaning: "temporarily unavailable" },
  google_email_not_invited: { status: 403, meaning: "no workspace invitation for that Google account" },
  channel_setup_failed: { status: 422, meaning: "provider refused a channel set-up step" },
  insufficient_balance: { status: 422, meaning: "wallet cannot cover this" },
  invitation_not_found: { status: 404, meaning: "invitation does not exist" },
  invitation_expired: { status: 410, meaning: "invitation expired" },
  invitation_revoked: { status: 410, meaning: "invitation withdrawn" },
  invitation_resend_throttled: { status: 429, meaning: "invitation sent recently" },
  google_email_mismatch: { status: 422, meaning: "Google account differs from invited address" },
  invitation_not_accepted: { status: 403, meaning: "invited but not yet accepted" },
  registration_closed: { status: 403, meaning: "sign-ups closed" },
  verification_failed: { status: 422, meaning: "code wrong or expired" },
  workspace_unavailable: { status: 423, meaning: "workspace not available" },
  workspace_suspended: { status: 423, meaning: "workspace suspended; data viewable, changes paused" },
  invalid_tenant_transition: { status: 409, meaning: "workspace cannot move to that state" },
  invalid_transition: { status: 409, meaning: "change impossible from current state" },
  mode_switch_in_progress: { status: 409, meaning: "platform mode switch running" },
  ownership_required: { status: 403, meaning: "only the workspace owner may do this" },
  feature_not_in_plan: { status: 402, meaning: "feature not in the plan" },
  limit_reached: { status: 402, meaning: "plan limit reached" },
  plan_change_refused: { status: 422, meaning: "plan change impossible" },
  plan_in_use: { status: 409, meaning: "plan has subscribers; archive instead" },
  nothing_owed: { status: 422, meaning: "nothing owed on the subscription" },
  refund_refused: { status: 422, meaning: "refund impossible" },
  method_disabled_by_platform: { status: 422, meaning: "sign-in method turned off platform-wide" },
  whatsapp_sender_not_configured: { status: 422, meaning: "platform WhatsApp sender not set up" },
  coupon_invalid: { status: 422, meaning: "coupon code not valid" },
  coupon_expired: { status: 422, meaning: "coupon expired" },
  coupon_exhausted: { status: 422, meaning: "coupon used up" },
  coupon_not_applicable: { status: 422, meaning: "coupon does not apply to the plan" },
  coupon_already_used: { status: 422, meaning: "coupon already used on the workspace" }
} as const

export type ErrorCode = keyof typeof catalogue

export const errorCodes = Object.keys(catalogue) as ReadonlyArray<ErrorCode>
