import { emit, type Subscribers } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import { expect, type Parts, set } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { Reached } from "./advance.js"
import type { Message } from "./Message.js"
import { messageEvent } from "./messageEvent.js"

/** What writes the steps that a message reached: its new state, and an event for each step in order. */
export const recordProgress = (
  message: Message,
  reached: ReadonlyArray<Reached>,
  subscribers: Subscribers,
  now: Instant,
  ids: Ids,
  more: Partial<Message> = {}
): Parts => {
  const last = reached.at(-1)?.message ?? message
  const { status, error, sentAt, deliveredAt, readAt } = last
  return {
    expects: [expect("messages", { id: message.id }, { version: message.version })],
    sets: [set("messages", { id: message.id }, { status, error, sentAt, deliveredAt, readAt, ...more })],
    inserts: reached.flatMap((step) =>
      emit(subscribers, messageEvent(`message.${step.status}`, step.message), now, ids)
    )
  }
}
