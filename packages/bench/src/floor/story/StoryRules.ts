import type {
  Attempt,
  Changes,
  Connection,
  Delivery,
  Endpoint,
  Event,
  Job,
  Message,
  OutboundRequest
} from "@parley/core"
import type { bodyOf } from "../../world/traffic.js"
import type { DueReceipt, Lease, Receivers, SendRows } from "./StoryDatabase.js"

/** One send as it arrives. */
export interface Send {
  readonly body: ReturnType<typeof bodyOf>
  readonly key: string
  readonly requestId: string
}

/** A message that was handed over, with the provider's answer. */
export interface HandedOver {
  readonly message: Message
  readonly job: Job
  readonly connection: Connection
  readonly providerMessageId: string
  /** When the provider answered, and when its two receipts are due, in ms. */
  readonly at: number
  readonly deliveredAt: number
  readonly readAt: number
}

/** A webhook to post: its rows, and the job with the lease of this process. */
export interface Webhook {
  readonly delivery: Delivery
  readonly event: Event
  readonly job: Job
  readonly endpoint: Endpoint
}

/** What a program by hand decides at each step of a story: the commits, and the signed posts. */
export interface StoryRules {
  readonly accept: (send: Send, rows: SendRows, lease: Lease, now: number) => Changes
  readonly outcome: (handed: HandedOver, receivers: Receivers, now: number) => Changes
  readonly receipt: (due: DueReceipt, receivers: Receivers, now: number) => Changes
  readonly post: (webhook: Webhook, receivers: Receivers, attemptId: string, now: number) => OutboundRequest
  readonly attempt: (webhook: Webhook, attempt: Attempt, now: number) => Changes
}
