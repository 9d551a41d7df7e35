import type { Answer } from "../Answer.js"
import type { CreateOptions, RequestOptions } from "../ClientOptions.js"
import type { Message, SendAcknowledgement, SendMessageInput } from "../Contract.js"
import type { Call } from "../transport/Call.js"
import { segment } from "./lists.js"

/** Inbound and outbound messages (docs/reference/messages.md#message-fields). */
export interface Messages {
  /**
   * `POST /messages`: accepted for delivery, not delivered. A provider's rejection (`provider_error`, 502) releases the
   * idempotency key and is retried as a new message, like other 502 responses.
   */
  readonly send: (input: SendMessageInput, options?: CreateOptions) => Promise<Answer<SendAcknowledgement>>
  /** `GET /messages/{id}`: includes delivery times. */
  readonly get: (id: string, options?: RequestOptions) => Promise<Answer<Message>>
}

export const messages = (call: Call): Messages => ({
  send: (input, options = {}) => call.post("/messages", input, options),
  get: async (id, options = {}) => call.get(`/messages/${segment(id)}`, {}, options)
})
