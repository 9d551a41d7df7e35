import type { Conversation } from "../../model/Conversation.js"
import { hour, type Instant } from "../../model/Instant.js"

/**
 * The time at which the service window closes: `serviceWindowHours` after the customer's last message. Null if the
 * customer never wrote or the channel has no service window.
 */
export const serviceWindowExpiresAt = (
  { lastInboundAt }: Pick<Conversation, "lastInboundAt">,
  serviceWindowHours: number | null
): Instant | null =>
  serviceWindowHours === null || lastInboundAt === 0 ? null : lastInboundAt + serviceWindowHours * hour

/**
 * Whether free text may be sent now. `expiresAt` is the result of {@link serviceWindowExpiresAt} for a channel with a
 * service window.
 */
export const isServiceWindowOpen = (expiresAt: Instant | null, now: Instant): boolean =>
  expiresAt !== null && now < expiresAt
