import type { Answer, CursorPage } from "../Answer.js"
import type { RequestOptions } from "../ClientOptions.js"
import type { Conversation, ConversationQuery, Message, MessageQuery, Signal } from "../Contract.js"
import type { Call } from "../transport/Call.js"
import { eachRow, segment } from "./lists.js"

/**
 * Conversations on the application's connections and their messages
 * (docs/reference/conversations.md#conversation-fields).
 */
export interface Conversations {
  /** One page of `GET /conversations`, by last activity, newest first. */
  readonly list: (query?: ConversationQuery, options?: RequestOptions) => Promise<CursorPage<Conversation>>
  /** Every matching conversation. Page size: 100 unless `limit` is given. */
  readonly listAll: (
    query?: ConversationQuery,
    options?: RequestOptions
  ) => AsyncGenerator<Conversation, void, undefined>
  /** `GET /conversations/{id}`. */
  readonly get: (id: string, options?: RequestOptions) => Promise<Answer<Conversation>>
  /** One page of `GET /conversations/{id}/messages`, newest first. */
  readonly messages: (id: string, query?: MessageQuery, options?: RequestOptions) => Promise<CursorPage<Message>>
  /** Every message of a conversation, newest first. Page size: 100 unless `limit` is given. */
  readonly allMessages: (
    id: string,
    query?: MessageQuery,
    options?: RequestOptions
  ) => AsyncGenerator<Message, void, undefined>
  /** `POST /conversations/{id}/typing`: shows the customer that the business types. `taken`: the channel took it. */
  readonly typing: (id: string, options?: RequestOptions) => Promise<Answer<Signal>>
  /** `POST /conversations/{id}/read`: shows the customer that the business has read the messages. */
  readonly read: (id: string, options?: RequestOptions) => Promise<Answer<Signal>>
}

export const conversations = (call: Call): Conversations => ({
  list: (query = {}, options = {}) => call.get("/conversations", query, options),
  listAll: (query = {}, options = {}) => eachRow(call, "/conversations", { limit: 100, ...query }, options),
  get: async (id, options = {}) => call.get(`/conversations/${segment(id)}`, {}, options),
  messages: async (id, query = {}, options = {}) => call.get(messagesOf(id), query, options),
  allMessages: (id, query = {}, options = {}) => eachRow(call, messagesOf(id), { limit: 100, ...query }, options),
  typing: async (id, options = {}) => call.post(`/conversations/${segment(id)}/typing`, {}, options),
  read: async (id, options = {}) => call.post(`/conversations/${segment(id)}/read`, {}, options)
})

const messagesOf = (id: string): string => `/conversations/${segment(id)}/messages`
