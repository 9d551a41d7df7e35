import { Data } from "effect"
import { hashOf } from "../access/Credential.js"
import type { Connection } from "../channels/Connection.js"
import { clockTime, type Held, ownTime } from "../channels/ownTime.js"
import { type Instant, minute, second } from "../Instant.js"
import type { Rate, SendRates } from "../ports/ChannelProvider.js"
import type { Reservation } from "../ports/Storage.js"
import type { SendProgress } from "./SendProgress.js"

/** What a message does next on its way to the provider. */
export type Departure = Data.TaggedEnum<{
  /** It goes out. */
  Now: Record<never, never>
  /** It waits until then, by the clock. */
  Later: { readonly until: Instant }
  /** It takes a place in a line first, and asks again with it. */
  Reserve: { readonly place: "slot" | "recipientSlot"; readonly reservation: Reservation }
  /** It missed its slot by far: first the connection's own time is set back there, and with it the whole line. */
  SetBack: { readonly to: Instant }
}>
export const Departure = Data.taggedEnum<Departure>()

const now = Departure.Now()

/**
 * By how much a message may miss its slot, in ms, and still go. Beyond, no worker had room for it, and the line is set back,
 * so that what waited meanwhile neither goes out all at once nor loses its order. What is hardly late when the line is set back
 * goes too: over any time, a connection sends at most its burst and what its rate allows in that time and twice this.
 */
export const mostLate: number = second / 2

/** How fast a connection goes that may go as fast as it can, for a while after its provider held it. */
const afterHold: Rate = { messages: 100, per: second, burst: 10 }
const whileAfterHold = minute

/**
 * When a message may go (decisions.md §7): once it has a slot in the line of its recipient and, after that, in the line of its
 * connection, where there are such, and no provider holds the connection. A connection without rates and holds has no line.
 */
export const departure = (
  connection: Pick<Connection, "id"> & Held,
  rates: SendRates | null,
  progress: SendProgress,
  at: Instant
): Departure => {
  const { heldMs, heldUntil } = connection
  const rate = rates?.connection ?? (heldUntil > 0 && at < heldUntil + whileAfterHold ? afterHold : null)
  const recipientRate = rates?.recipient ?? null
  if (rate === null && recipientRate === null) return now

  const own = ownTime(connection, at)
  const { recipientSlot, slot, to } = progress
  const reserve = (place: "slot" | "recipientSlot", key: string, rate: Rate) =>
    Departure.Reserve({ place, reservation: { key, ...rate, now: own, behind: heldMs } })
  const later = (slot: Instant) => Departure.Later({ until: clockTime(connection, slot) })

  const turn = slot ?? recipientSlot
  if (turn !== null && own - turn > mostLate) return Departure.SetBack({ to: turn })
  if (turn !== null && turn > own) return later(turn)
  if (slot !== null) return at < heldUntil ? later(slot) : now
  if (recipientRate !== null && recipientSlot === null) {
    // A digest: the lines outlive the contact's data by a while.
    return reserve("recipientSlot", hashOf(`${connection.id} ${to}`), recipientRate)
  }
  return rate === null ? now : reserve("slot", connection.id, rate)
}
