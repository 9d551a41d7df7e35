import { Data } from "effect"
import type { Connection } from "../../model/Connection.js"
import { type Instant, minute, second } from "../../model/Instant.js"
import type { Rate, SendRates } from "../../ports/ChannelProvider.js"
import type { Reservation } from "../../ports/Storage.js"
import { hashOf } from "../../resources/access/Credential.js"
import { clockTime, type HoldState, virtualTime } from "../../resources/channels/virtualTime.js"
import type { SendProgress } from "./SendProgress.js"

/** The next step of a send. */
export type SendReadiness = Data.TaggedEnum<{
  /** Send it. */
  Now: Record<never, never>
  /** Wait until then (clock time). */
  Later: { readonly until: Instant }
  /** Reserve a slot first, then decide again. */
  Reserve: { readonly field: "slot" | "recipientSlot"; readonly reservation: Reservation }
  /** It missed its slot by more than {@link maxLateMs}: rewind the connection's virtual time to the slot first. */
  Rewind: { readonly to: Instant }
}>
export const SendReadiness = Data.taggedEnum<SendReadiness>()

const now = SendReadiness.Now()

/**
 * How late a message may be for its slot and still be sent, in ms. A later one shows that no worker had capacity:
 * virtual time is rewound, so that the waiting messages keep their order and are not sent in one burst. Messages that
 * are less late at that moment are sent too. So in any period of `t` ms a connection sends at most its burst plus what
 * its rate allows in `t` plus twice this value.
 */
export const maxLateMs: number = second / 2

/** Rate of a connection without a rate of its own, for {@link afterHoldMs} after a throttle hold. */
const rateAfterHold: Rate = { messages: 100, per: second, burst: 10 }
const afterHoldMs = minute

/**
 * Decides when a message may be sent (docs/reference/messages.md#throttled-and-failing-sends): once it has a slot in
 * the queue of its recipient, then one in the queue of its connection, and the connection is not held. A connection
 * without rates and holds has no queue.
 */
export const sendReadiness = (
  connection: Pick<Connection, "id"> & HoldState,
  rates: SendRates | null,
  progress: SendProgress,
  at: Instant
): SendReadiness => {
  const { heldMs, heldUntil } = connection
  const rate = rates?.connection ?? (heldUntil > 0 && at < heldUntil + afterHoldMs ? rateAfterHold : null)
  const recipientRate = rates?.recipient ?? null
  if (rate === null && recipientRate === null) return now

  const own = virtualTime(connection, at)
  const { recipientSlot, slot, to } = progress
  const reserve = (field: "slot" | "recipientSlot", key: string, rate: Rate) =>
    SendReadiness.Reserve({ field, reservation: { key, ...rate, now: own, behind: heldMs } })
  const later = (slot: Instant) => SendReadiness.Later({ until: clockTime(connection, slot) })

  const position = slot ?? recipientSlot
  if (position !== null && own - position > maxLateMs) return SendReadiness.Rewind({ to: position })
  if (position !== null && position > own) return later(position)
  if (slot !== null) return at < heldUntil ? later(slot) : now
  if (recipientRate !== null && recipientSlot === null) {
    // Hashed, because the slot row is deleted later than the contact's data.
    return reserve("recipientSlot", hashOf(`${connection.id} ${to}`), recipientRate)
  }
  return rate === null ? now : reserve("slot", connection.id, rate)
}
