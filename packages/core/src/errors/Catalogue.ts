/**
 * All error codes of the interface, each with its HTTP status, meaning and remedy
 * (docs/reference/errors.md#error-envelope). Responses, the OpenAPI document and the page of errors are generated from
 * this table.
 */
export const catalogue = {
  unauthenticated: {
    status: 401,
    meaning: "authentication required",
    remedy:
      "Send `Authorization: Bearer <token>` with a credential that is valid; request a new access token where it expired."
  },
  forbidden: {
    status: 403,
    meaning: "missing scope (`details.required_scope`), channel not allowed",
    remedy: "Have an administrator grant the scope or allow-list the channel."
  },
  not_found: {
    status: 404,
    meaning: "missing or invisible resource",
    remedy: "Check the path and the id, and that the application may see it."
  },
  validation_failed: {
    status: 422,
    meaning: "invalid data",
    remedy: "Correct every field that `details` names."
  },
  rate_limited: {
    status: 429,
    meaning: "too many requests",
    remedy: "Wait `Retry-After` seconds, then send the same request."
  },
  idempotency_conflict: {
    status: 409,
    meaning: "key reused with different body, or first request still running",
    remedy: "Use a new key for a new operation; where the first request still runs, wait for its answer."
  },
  identity_already_claimed: {
    status: 409,
    meaning: "handle belongs to another contact; merge instead",
    remedy: "Merge the two contacts, or give another handle."
  },
  connection_owned_elsewhere: {
    status: 409,
    meaning: "account connected to another workspace",
    remedy: "Disconnect the account in the other workspace first."
  },
  channel_unavailable: {
    status: 422,
    meaning: "channel connection not available",
    remedy: "Have an administrator activate the connection again, or send on another one."
  },
  provider_error: {
    status: 502,
    meaning: "upstream provider error; `details` carries what it said",
    remedy: "Read `details`; send again with the same key, which makes a new message."
  },
  template_not_approved: {
    status: 422,
    meaning: "template not approved or not sendable on that channel",
    remedy: "Send a template whose `is_sendable` is true, on its own channel."
  },
  outside_service_window: {
    status: 422,
    meaning: "service window expired; send a template",
    remedy: "Send an approved template, or wait until the customer writes."
  },
  account_suspended: {
    status: 403,
    meaning: "account suspended",
    remedy: "Have an administrator activate the application again."
  },
  method_not_allowed: {
    status: 405,
    meaning: "method unsupported for the route",
    remedy: "Use a method that the header `Allow` lists."
  },
  payload_too_large: {
    status: 413,
    meaning: "payload too large",
    remedy: "Send at most 1 MiB, to the token endpoint 16 KiB."
  },
  internal_error: {
    status: 500,
    meaning: "unexpected error",
    remedy: "Send it again; where that does not help, report `request_id`."
  },
  bad_request: {
    status: 400,
    meaning: "request not understood",
    remedy: "Send well-formed JSON with its content type, and the headers that the operation needs."
  },
  service_unavailable: {
    status: 503,
    meaning: "temporarily unavailable",
    remedy: "Send it again."
  },
  google_email_not_invited: {
    status: 403,
    meaning: "no workspace invitation for that Google account",
    remedy: "Ask for an invitation for this Google account."
  },
  channel_setup_failed: {
    status: 422,
    meaning: "provider refused a channel set-up step",
    remedy: "Check the channel's settings and credentials; `details` names what the provider refused."
  },
  insufficient_balance: {
    status: 422,
    meaning: "wallet cannot cover this",
    remedy: "Top up the wallet."
  },
  invitation_not_found: {
    status: 404,
    meaning: "invitation does not exist",
    remedy: "Ask for a new invitation."
  },
  invitation_expired: {
    status: 410,
    meaning: "invitation expired",
    remedy: "Ask for a new invitation."
  },
  invitation_revoked: {
    status: 410,
    meaning: "invitation withdrawn",
    remedy: "Ask for a new invitation."
  },
  invitation_resend_throttled: {
    status: 429,
    meaning: "invitation sent recently",
    remedy: "Wait `Retry-After` seconds before it is sent once more."
  },
  google_email_mismatch: {
    status: 422,
    meaning: "Google account differs from invited address",
    remedy: "Sign in with the account that was invited."
  },
  invitation_not_accepted: {
    status: 403,
    meaning: "invited but not yet accepted",
    remedy: "Accept the invitation first."
  },
  registration_closed: {
    status: 403,
    meaning: "sign-ups closed",
    remedy: "Ask the operator for an account."
  },
  verification_failed: {
    status: 422,
    meaning: "code wrong or expired",
    remedy: "Ask for a new code and enter it in time."
  },
  workspace_unavailable: {
    status: 423,
    meaning: "workspace not available",
    remedy: "Ask the operator about the state of the workspace."
  },
  workspace_suspended: {
    status: 423,
    meaning: "workspace suspended; data viewable, changes paused",
    remedy: "Read only, until the operator activates the workspace again."
  },
  invalid_tenant_transition: {
    status: 409,
    meaning: "workspace cannot move to that state",
    remedy: "Read the workspace's status; move it only to one that it can take."
  },
  invalid_transition: {
    status: 409,
    meaning: "change impossible from current state",
    remedy: "Read the resource's state; make only changes that it allows."
  },
  mode_switch_in_progress: {
    status: 409,
    meaning: "platform mode switch running",
    remedy: "Wait until the switch is done."
  },
  ownership_required: {
    status: 403,
    meaning: "only the workspace owner may do this",
    remedy: "Have the owner of the workspace do it."
  },
  feature_not_in_plan: {
    status: 402,
    meaning: "feature not in the plan",
    remedy: "Move to a plan that has the feature."
  },
  limit_reached: {
    status: 402,
    meaning: "plan limit reached",
    remedy: "Remove what is not needed, or move to a larger plan."
  },
  plan_change_refused: {
    status: 422,
    meaning: "plan change impossible",
    remedy: "Read `message`; choose a plan that fits what is in use."
  },
  plan_in_use: {
    status: 409,
    meaning: "plan has subscribers; archive instead",
    remedy: "Archive the plan instead."
  },
  nothing_owed: {
    status: 422,
    meaning: "nothing owed on the subscription",
    remedy: "There is nothing to pay."
  },
  refund_refused: {
    status: 422,
    meaning: "refund impossible",
    remedy: "Read `message`; this payment cannot be given back."
  },
  method_disabled_by_platform: {
    status: 422,
    meaning: "sign-in method turned off platform-wide",
    remedy: "Sign in by another method."
  },
  whatsapp_sender_not_configured: {
    status: 422,
    meaning: "platform WhatsApp sender not set up",
    remedy: "Have the operator set up the platform's WhatsApp sender."
  },
  coupon_invalid: {
    status: 422,
    meaning: "coupon code not valid",
    remedy: "Check the code."
  },
  coupon_expired: {
    status: 422,
    meaning: "coupon expired",
    remedy: "Use another coupon."
  },
  coupon_exhausted: {
    status: 422,
    meaning: "coupon used up",
    remedy: "Use another coupon."
  },
  coupon_not_applicable: {
    status: 422,
    meaning: "coupon does not apply to the plan",
    remedy: "Use the coupon on a plan that it is for."
  },
  coupon_already_used: {
    status: 422,
    meaning: "coupon already used on the workspace",
    remedy: "Use another coupon."
  }
} as const

export type ErrorCode = keyof typeof catalogue

export const errorCodes = Object.keys(catalogue) as ReadonlyArray<ErrorCode>

export const isErrorCode = (code: unknown): code is ErrorCode =>
  typeof code === "string" && Object.hasOwn(catalogue, code)

/** Whether and how a client may retry a request (docs/reference/errors.md#retry-rules). */
export type Retry = "after Retry-After" | "with backoff" | "no"

/** Retry rule of an HTTP status. Any status without a rule is `no`: the caller has to correct the request. */
export const retryOf = (status: number): Retry =>
  status === 429 ? "after Retry-After" : status === 500 || status === 502 || status === 503 ? "with backoff" : "no"
