import type { Instant } from "../Instant.js"
import { notify } from "../notifications/notify.js"
import { expect, type Parts, type RowOf, row } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import { type Endpoint, failuresThatDisable, isActive } from "./Endpoint.js"

const countsUpTo = (most: number): ReadonlyArray<number> => Array.from({ length: most + 1 }, (_, count) => count)
const beforeTheLast = countsUpTo(failuresThatDisable - 2)
const active = countsUpTo(failuresThatDisable - 1)

/**
 * What an attempt means for its endpoint: failures count up, and the one that makes them {@link failuresThatDisable}
 * disables it and tells the administrators, in the same commit (decisions.md §12); a success ends the row. Nothing counts
 * once it is disabled. Counts are compared and not versions, so that attempts at one endpoint do not lose to each other.
 */
export const countAttempt = (endpoint: Endpoint, succeeded: boolean, now: Instant, ids: Ids): Parts => {
  const { consecutiveFailures, id } = endpoint
  if (!isActive(endpoint) || (succeeded && consecutiveFailures === 0)) return {}
  if (succeeded) {
    return {
      expects: [expect("endpoints", { id }, { consecutiveFailures: active })],
      bumps: [{ table: "endpoints", id, reset: { consecutiveFailures: 0 } }]
    }
  }
  const isLast = consecutiveFailures === failuresThatDisable - 1
  return {
    expects: [expect("endpoints", { id }, { consecutiveFailures: isLast ? consecutiveFailures : beforeTheLast })],
    bumps: [{ table: "endpoints", id, add: { consecutiveFailures: 1 } }],
    inserts: isLast ? [...notify(disabled(endpoint), now, ids), logged(endpoint, now, ids)] : []
  }
}

/** For the audit log, where somebody looks who wonders why it is disabled. */
const logged = ({ applicationId, id, workspaceId }: Endpoint, now: Instant, ids: Ids): RowOf<"auditLog"> =>
  row("auditLog", {
    id: ids.next(now),
    workspaceId,
    applicationId,
    actor: "engine",
    action: "webhook_endpoint.disabled",
    subjectId: id,
    createdAt: now
  })

const disabled = ({ applicationId, id, url, workspaceId }: Endpoint) => ({
  workspaceId,
  applicationId,
  kind: "webhook_endpoint.disabled",
  subjectId: id,
  message: `The webhook endpoint ${url} failed ${failuresThatDisable} times in a row and is disabled. Its waiting deliveries are kept: enable it to send them, and recover what happened meanwhile.`
})
