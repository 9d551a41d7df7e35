import { InboundEvent, type Instant } from "@parley/core"
import { fieldsOf, textOf, unknownEvent } from "@parley/provider-kit"

/** The events of a `policy_enforcement`: Meta warns or blocks the account, or ends the block. It has no sender. */
export const policyEvents = (value: unknown, at: Instant): ReadonlyArray<InboundEvent> => {
  const { action, reason } = fieldsOf(fieldsOf(value).policy_enforcement)
  const text = texts.get(action)
  if (text === undefined) return [unknownEvent("policy_enforcement", value)]
  const because = textOf(reason)
  return [
    InboundEvent.AccountNotice({
      message: because === null ? text : `${text} ${because}`,
      at,
      refusal: action === "block" ? { providerCode: "block", providerMessage: text } : null
    })
  ]
}

const texts: ReadonlyMap<unknown, string> = new Map([
  ["warning", "Meta warns that the account breaks its policies."],
  ["block", "Meta has blocked the account for breaking its policies."],
  ["unblock", "Meta has ended the block of the account. Make its disconnected connection active again."]
])
