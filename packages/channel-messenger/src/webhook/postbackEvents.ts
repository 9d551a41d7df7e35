import { InboundEvent } from "@parley/core"
import { fieldsOf, textOf, unknownEvent } from "@parley/provider-kit"
import { eventId } from "../eventId.js"
import type { Happening } from "./Happening.js"
import { referralOf } from "./referralOf.js"

/** The events of a `postback`: a button that a customer pressed. */
export const postbackEvents = (value: unknown, { at, sender }: Happening): ReadonlyArray<InboundEvent> => {
  const postback = fieldsOf(fieldsOf(value).postback)
  const payload = textOf(postback.payload)
  const title = textOf(postback.title) ?? payload
  // Without an id, the customer and the time identify the event.
  const id = textOf(postback.mid) ?? (at === null ? null : eventId("postback", sender, at))
  if (title === null || id === null) return [unknownEvent("postback", value)]
  const referral = referralOf(postback.referral)
  return [
    InboundEvent.Message({
      from: sender,
      ...(at === null ? {} : { at }),
      body: title,
      content: { type: "choice", id: payload, title },
      ...(referral === null ? {} : { referral }),
      subject: null,
      displayName: null,
      attachments: [],
      automatic: false,
      providerMessageId: id
    })
  ]
}
