import { encodeContact } from "../../contacts/ContactResource.js"
import { derivedId } from "../../derivedId.js"
import { hour, type Instant, minute, second } from "../../Instant.js"
import type { OutboundRequest, OutboundResult } from "../../ports/HttpSender.js"
import { signedPost } from "../../webhooks/signedPost.js"
import type { CallWebhook } from "../definition/Action.js"
import { fillInJson } from "../placeholders.js"
import type { Pending } from "../runs/Run.js"
import { type RunScope, valuesOf } from "../runs/RunScope.js"
import { Verdict } from "../runs/Verdict.js"

/** Between the tries of one call; after the last it has failed. */
const delays: ReadonlyArray<number> = [10 * second, minute, 5 * minute, 15 * minute, hour]

/**
 * The request of a call: POST of JSON, signed like webhooks. Every try has the same `Idempotency-Key` (and `X-Webhook-ID`), so
 * that the receiver can tell a try from another call.
 */
export const callRequest = (
  scope: RunScope,
  action: CallWebhook,
  /** Opened. */
  secret: string,
  serviceName: string,
  now: Instant
): OutboundRequest => {
  const { contact, run } = scope
  const body =
    action.body === null
      ? { event: run.eventName, contact: encodeContact(contact), data: run.data, run_id: run.id }
      : fillInJson(action.body, valuesOf(scope))
  const id = derivedId(run.id, `call ${run.position}`)
  const number = (run.pending?.attempts ?? 0) + 1
  const post = signedPost({ id, url: action.url, body: JSON.stringify(body), secret, number }, serviceName, now)
  return { ...post, headers: { ...post.headers, "idempotency-key": id } }
}

/** What an answer comes to: any 2xx is success; what a further try cannot help fails at once. */
export const callVerdict = (
  { url }: CallWebhook,
  result: OutboundResult,
  pending: Pending | null,
  now: Instant
): Verdict => {
  const startedAt = pending?.startedAt ?? now
  const attempts = (pending?.attempts ?? 0) + 1
  const said = result._tag === "Answered" ? `answered ${result.status}` : `did not answer: ${result.error}`
  if (result._tag === "Answered" && result.status >= 200 && result.status < 300) {
    return Verdict.Done({ detail: `POST ${url} ${said}`, attempts })
  }
  const delay = delays[attempts - 1]
  if (delay === undefined || !isWorthAnother(result)) return Verdict.Failed({ detail: `POST ${url} ${said}`, attempts })
  return Verdict.Later({ at: now + delay, pending: { startedAt, attempts, messageId: null, until: null } })
}

const passing: ReadonlyArray<number> = [408, 409, 425, 429]

/** What the request itself is to blame for stays as it is. */
const isWorthAnother = (result: OutboundResult): boolean =>
  result._tag === "NotAnswered"
    ? result.error !== "address not allowed"
    : result.status >= 500 || passing.includes(result.status)
