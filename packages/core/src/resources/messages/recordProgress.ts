import type { Instant } from "../../model/Instant.js"
import type { Message } from "../../model/Message.js"
import { expect, type Parts, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { emit, type Subscribers } from "../events/Outbox.js"
import type { ReachedStep } from "./advance.js"
import { messageEvent } from "./messageEvent.js"

interface MessageProgress {
  readonly message: Message
  readonly reached: ReadonlyArray<ReachedStep>
  /** Other new values of the message. */
  readonly more?: Partial<Message>
}

/** Changes that record the statuses that a message reached, and emit one event for each, in order. */
export const recordProgress = (
  subscribers: Subscribers,
  { message, more, reached }: MessageProgress,
  now: Instant,
  ids: Ids
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
