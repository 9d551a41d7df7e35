import { notify } from "../../kernel/notify.js"
import { maskedUrl } from "../../kernel/text/maskedUrl.js"
import { applicationOf, type Endpoint, failuresThatDisable, isActive } from "../../model/Endpoint.js"
import type { Instant } from "../../model/Instant.js"
import { check, expect, type Parts, type RowOf, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"

const countsUpTo = (max: number): ReadonlyArray<number> => Array.from({ length: max + 1 }, (_, count) => count)
const beforeTheLast = countsUpTo(failuresThatDisable - 2)
const active = countsUpTo(failuresThatDisable - 1)

/** The endpoint of an attempt as it was stored before it, and its URL in clear text. */
export interface CalledEndpoint {
  readonly endpoint: Pick<Endpoint, "url" | "secret">
  readonly url: string
}

/**
 * Counts an attempt on its endpoint. The failure that raises the counter to {@link failuresThatDisable} disables the
 * endpoint and notifies the administrators, in the same commit
 * (docs/reference/webhooks.md#disabling-after-25-failures). A success resets the counter. A disabled endpoint does not
 * count, nor one whose URL or secret was changed during the attempt. Expects these, the status and the counter, not the
 * version, so that concurrent attempts conflict less. The endpoint may have been read before the attempt.
 */
export const countAttempt = (
  endpoint: Endpoint,
  called: CalledEndpoint,
  succeeded: boolean,
  now: Instant,
  ids: Ids
): Parts => {
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
  const { secret, url } = called.endpoint
  // Dozens of attempts at the former URL may fail after it was corrected.
  if (endpoint.url !== url || endpoint.secret !== secret) return {}
  const isLast = consecutiveFailures === failuresThatDisable - 1
  const counter = isLast ? consecutiveFailures : beforeTheLast
  return {
    expects: [expect("endpoints", { id }, { status: "active", consecutiveFailures: counter, url, secret })],
    bumps: [{ table: "endpoints", id, add: { consecutiveFailures: 1 } }],
    inserts: isLast ? [...notify(disabled(endpoint, called.url), now, ids), logged(endpoint, now, ids)] : []
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

const disabled = (endpoint: Endpoint, url: string) => ({
  workspaceId: endpoint.workspaceId,
  applicationId: applicationOf(endpoint),
  kind: "webhook_endpoint.disabled",
  subjectId: endpoint.id,
  message: `The webhook endpoint ${maskedUrl(url)} failed ${failuresThatDisable} times in a row and is disabled. Its pending deliveries are kept: enable it to send them, then recover the events missed while it was disabled.`
})
