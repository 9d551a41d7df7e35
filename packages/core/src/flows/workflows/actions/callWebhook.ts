import { derivedId } from "../../../kernel/derivedId.js"
import { exactDataOf, exactJson } from "../../../kernel/input/exactNumbers.js"
import { maskedUrl } from "../../../kernel/text/maskedUrl.js"
import type { CallWebhook } from "../../../model/Action.js"
import { hour, type Instant, minute, second } from "../../../model/Instant.js"
import type { Pending } from "../../../model/Run.js"
import type { OutboundRequest, OutboundResult } from "../../../ports/HttpSender.js"
import { encodeContact } from "../../../resources/contacts/ContactResource.js"
import { fillInJson } from "../../../resources/contacts/placeholders.js"
import { signedPost } from "../../webhooks/signedPost.js"
import { ActionState } from "../runs/ActionState.js"
import { type RunScope, valuesOf } from "../runs/RunScope.js"

/** Delays in ms between the tries of one call. After the last try the call has failed. */
const delays: ReadonlyArray<number> = [10 * second, minute, 5 * minute, 15 * minute, hour]

/**
 * The request of a call: a JSON POST, signed like webhooks. All tries of a call have the same `Idempotency-Key` and
 * `X-Webhook-ID`, so that the receiver recognises a repeated try.
 */
export const callRequest = (
  scope: RunScope,
  /** With its URL in clear text. */
  action: CallWebhook,
  /** In clear text. */
  secret: string,
  serviceName: string,
  now: Instant
): OutboundRequest => {
  const { contact, run } = scope
  const body =
    action.body === null
      ? { event: run.eventName, contact: encodeContact(contact), data: exactDataOf(run), run_id: run.id }
      : fillInJson(action.body, valuesOf(scope))
  const id = derivedId(run.id, `call ${run.position}`)
  const number = (run.pending?.attempts ?? 0) + 1
  const post = signedPost(
    { id, url: action.url, body: run.exactData === null ? JSON.stringify(body) : exactJson(body), secret, number },
    serviceName,
    now
  )
  return { ...post, headers: { ...post.headers, "idempotency-key": id } }
}

/** The verdict of a response: any 2xx is success; a failure that a further try cannot fix is final. */
export const callState = (
  { result, url }: { readonly url: string; readonly result: OutboundResult },
  pending: Pending | null,
  now: Instant
): ActionState => {
  const startedAt = pending?.startedAt ?? now
  const attempts = (pending?.attempts ?? 0) + 1
  const said = result._tag === "Answered" ? `answered ${result.status}` : `did not answer: ${result.error}`
  if (result._tag === "Answered" && result.status >= 200 && result.status < 300) {
    return ActionState.Done({ detail: `POST ${maskedUrl(url)} ${said}`, attempts })
  }
  const delay = delays[attempts - 1]
  if (delay === undefined || !isWorthAnother(result))
    return ActionState.Failed({ detail: `POST ${maskedUrl(url)} ${said}`, attempts })
  return ActionState.Later({
    at: now + delay,
    pending: { startedAt, attempts, messageId: null, until: null, error: said }
  })
}

const passing: ReadonlyArray<number> = [408, 409, 425, 429]

/** Whether another try can succeed: not after a 4xx that blames the request. */
const isWorthAnother = (result: OutboundResult): boolean =>
  result._tag === "NotAnswered"
    ? result.error !== "address not allowed"
    : result.status >= 500 || passing.includes(result.status)
