import { describe, expect, it } from "vitest"
import { catalogue, errorCodes, retryOf } from "../../src/errors/Catalogue.js"
import { refuse } from "../../src/errors/Refusal.js"

/** The specified codes with status and meaning (docs/reference/errors.md). */
const rows = [
  ["unauthenticated", 401, "authentication required"],
  ["forbidden", 403, "missing scope (`details.required_scope`), channel not allowed"],
  ["not_found", 404, "missing or invisible resource"],
  ["validation_failed", 422, "invalid data"],
  ["rate_limited", 429, "too many requests"],
  ["idempotency_conflict", 409, "key reused with different body, or first request still running"],
  ["identity_already_claimed", 409, "handle belongs to another contact; merge instead"],
  ["connection_owned_elsewhere", 409, "account connected to another workspace"],
  ["channel_unavailable", 422, "channel connection not available"],
  ["provider_error", 502, "upstream provider error; `details` carries what it said"],
  ["template_not_approved", 422, "template not approved or not sendable on that channel"],
  ["outside_service_window", 422, "service window expired; send a template"],
  ["account_suspended", 403, "account suspended"],
  ["method_not_allowed", 405, "method unsupported for the route"],
  ["payload_too_large", 413, "payload too large"],
  ["internal_error", 500, "unexpected error"],
  ["bad_request", 400, "request not understood"],
  ["service_unavailable", 503, "temporarily unavailable"],
  ["google_email_not_invited", 403, "no workspace invitation for that Google account"],
  ["channel_setup_failed", 422, "provider refused a channel set-up step"],
  ["insufficient_balance", 422, "wallet cannot cover this"],
  ["invitation_not_found", 404, "invitation does not exist"],
  ["invitation_expired", 410, "invitation expired"],
  ["invitation_revoked", 410, "invitation withdrawn"],
  ["invitation_resend_throttled", 429, "invitation sent recently"],
  ["google_email_mismatch", 422, "Google account differs from invited address"],
  ["invitation_not_accepted", 403, "invited but not yet accepted"],
  ["registration_closed", 403, "sign-ups closed"],
  ["verification_failed", 422, "code wrong or expired"],
  ["workspace_unavailable", 423, "workspace not available"],
  ["workspace_suspended", 423, "workspace suspended; data viewable, changes paused"],
  ["invalid_tenant_transition", 409, "workspace cannot move to that state"],
  ["invalid_transition", 409, "change impossible from current state"],
  ["mode_switch_in_progress", 409, "platform mode switch running"],
  ["ownership_required", 403, "only the workspace owner may do this"],
  ["feature_not_in_plan", 402, "feature not in the plan"],
  ["limit_reached", 402, "plan limit reached"],
  ["plan_change_refused", 422, "plan change impossible"],
  ["plan_in_use", 409, "plan has subscribers; archive instead"],
  ["nothing_owed", 422, "nothing owed on the subscription"],
  ["refund_refused", 422, "refund impossible"],
  ["method_disabled_by_platform", 422, "sign-in method turned off platform-wide"],
  ["whatsapp_sender_not_configured", 422, "platform WhatsApp sender not set up"],
  ["coupon_invalid", 422, "coupon code not valid"],
  ["coupon_expired", 422, "coupon expired"],
  ["coupon_exhausted", 422, "coupon used up"],
  ["coupon_not_applicable", 422, "coupon does not apply to the plan"],
  ["coupon_already_used", 422, "coupon already used on the workspace"]
] as const

describe("the catalogue", () => {
  it("has the specified codes, statuses and meanings", () => {
    expect(Object.entries(catalogue).map(([code, { status, meaning }]) => [code, status, meaning])).toEqual(rows)
  })

  it("has a remedy for every code", () => {
    for (const { remedy } of Object.values(catalogue)) expect(remedy).toMatch(/^[A-Z].*[^\s.]\.$/)
  })

  it.each([
    [429, "after Retry-After"],
    ...[500, 502, 503].map((status) => [status, "with backoff"] as const),
    ...[401, 403, 404, 409, 413, 422].map((status) => [status, "no"] as const)
  ] as const)("applies the retry rule of status %i", (status, retry) => {
    expect(retryOf(status)).toBe(retry)
  })

  it("has a default message for every code", () => {
    for (const code of errorCodes) {
      const { message } = refuse(code)
      expect(message).toMatch(/^[A-Z].*[^\s.]\.$/)
      expect(message).not.toMatch(/details|[`]/)
    }
  })
})
