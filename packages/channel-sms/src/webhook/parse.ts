import { type AccountEvents, type Instant, isUuid, type ProviderRequest, WebhookUnreadable } from "@parley/core"
import { unknownEvent, withRaw } from "@parley/provider-kit"
import { Effect } from "effect"
import type { Form } from "./Form.js"
import { messageOf } from "./messageOf.js"
import { receiptOf } from "./receiptOf.js"

/** The event of a request: a customer's message, or the progress of one of ours. Twilio makes one request for each. */
export const parse = (
  { body, query }: ProviderRequest,
  now: Instant
): Effect.Effect<ReadonlyArray<AccountEvents>, WebhookUnreadable> => {
  const form: Form = Object.fromEntries([...new URLSearchParams(new TextDecoder().decode(body))].reverse())
  const { MessageSid: sid } = form
  if (sid === undefined || sid === "") return new WebhookUnreadable({ reason: "must be a form with MessageSid" })
  const messageId = query.message !== undefined && isUuid(query.message) ? query.message : null
  const { MessageStatus: status } = form
  const events =
    status === undefined
      ? withRaw(form, messageOf(sid, form))
      : (receiptOf(sid, messageId, status, form, now) ?? [unknownEvent(`status.${status}`, form)])
  // The signed URL names the connection.
  return Effect.succeed([{ account: null, events }])
}
