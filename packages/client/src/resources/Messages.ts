import type { Answer } from "../Answer.js"
import type { CreateOptions, RequestOptions } from "../ClientOptions.js"
import type { Message, SendAcknowledgement, SendMessageInput } from "../Contract.js"
import type { Call } from "../transport/Call.js"
import { segment } from "./lists.js"

/** Messages in and out (spec, Message). */
export interface Messages {
  /**
   * `POST /messages`: accepted for delivery, not delivered. A provider's rejection (`provider_error`) leaves the key free and
   * is tried again as a new message, as other answers of 502 are.
   */
  readonly send: (input: SendMessageInput, options?: CreateOptions) => Promise<Answer<SendAcknowledgement>>
  /** `GET /messages/{id}`: with its delivery times. */
  readonly get: (id: string, options?: RequestOptions) => Promise<Answer<Message>>
}

export const messages = (call: Call): Messages => ({
  send: (input, options = {}) => call.post("/messages", input, options),
  get: async (id, options = {}) => call.get(`/messages/${segment(id)}`, {}, options)
})
