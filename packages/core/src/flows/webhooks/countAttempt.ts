import { notify } from "../../kernel/notify.js"
import { maskedUrl } from "../../kernel/text/maskedUrl.js"
import { applicationOf, type Endpoint, failuresThatDisable, isActive } from "../../model/Endpoint.js"
import type { Instant } from "../../model/Instant.js"
import { check, expect, type Parts, type RowOf, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"

const countsUpTo = (max: number): ReadonlyArray<number> => Array.from({ length: max + 1 }, (_, count) => count)
const beforeTheLast = countsUpTo(failuresThatDisable - 2)
const active = countsUpTo(failuresThatDisable - 1)

/**
 * Counts an attempt on its endpoint. The failure that raises the counter to {@link failuresThatDisable} disables the
 * endpoint and notifies the administrators, in the same commit
 * (docs/reference/webhooks.md#disabling-after-25-failures). A success resets the counter. A disabled endpoint does not
 * count. Expects the status and the counter, not the version, so that concurrent attempts conflict less. The endpoint
 * may have been read before the attempt.
 */
export const countAttempt = (endpoint: Endpoint, succeeded: boolean, now: Instant, ids: Ids): Parts => {
  const { consecutiveFailures, id } = endpoint
  if (!isActive(endpoint)) return {}
  // Failures may have been counted since the endpoint was read. Not locked: each success would lock its endpoint.
  if (succeeded && consecutiveFailures === 0)
    return { expects: [check("endpoints", { id }, { consecutiveFailures: 0 })] }
  if (succeeded) {
    return {
      expects: [expect("endpoints", { id }, { status: "active", consecutiveFailures: active })],
      bumps: [{ table: "endpoints", id, reset: { consecutiveFailures: 0 } }]
    }
  }
  const isLast = consecutiveFailures === failuresThatDisable - 1
  return {
    expects: [
      expect(
        "endpoints",
        { id },
        { status: "active", consecutiveFailures: isLast ? consecutiveFailures : beforeTheLast }
      )
    ],
    bumps: [{ table: "endpoints", id, add: { consecutiveFailures: 1 } }],
    inserts: isLast ? [...notify(disabled(endpoint), now, ids), logged(endpoint, now, ids)] : []
  }
}

/** The audit entry of the automatic disabling. */
const logged = (endpoint: Endpoint, now: Instant, ids: Ids): RowOf<"auditLog"> =>
  row("auditLog", {
    id: ids.next(now),
    workspaceId: endpoint.workspaceId,
    applicationId: applicationOf(endpoint),
    actor: "engine",
    action: "webhook_endpoint.disabled",
    subjectId: endpoint.id,
    createdAt: now
  })

const disabled = (endpoint: Endpoint) => ({
  workspaceId: endpoint.workspaceId,
  applicationId: applicationOf(endpoint),
  kind: "webhook_endpoint.disabled",
  subjectId: endpoint.id,
  message: `The webhook endpoint ${maskedUrl(endpoint.url)} failed ${failuresThatDisable} times in a row and is disabled. Its pending deliveries are kept: enable it to send them, then recover the events missed while it was disabled.`
})
