import type { Answer } from "../Answer.js"
import type { CreateOptions } from "../ClientOptions.js"
import type { BusinessEventInput, EventAcknowledgement } from "../Contract.js"
import type { Call } from "../transport/Call.js"

/** Business events, which start workflows (docs/reference/events.md#business-events). */
export interface Events {
  /** `POST /events`. `workflows_matched` is 0 if no published workflow has this trigger. */
  readonly send: (input: BusinessEventInput, options?: CreateOptions) => Promise<Answer<EventAcknowledgement>>
}

export const events = (call: Call): Events => ({
  send: (input, options = {}) => call.post("/events", input, options)
})
