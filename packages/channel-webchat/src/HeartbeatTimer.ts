import type { Instant } from "@parley/core"

/** Called when it is due. */
export interface Heartbeat {
  /** Returns when it is due next, or null for never. */
  readonly beat: (now: Instant) => Instant | null
}

/** Calls heartbeats when they are due, to the second. One timer does it for all streams. */
export interface HeartbeatTimer {
  readonly add: (heartbeat: Heartbeat, due: Instant) => void
  readonly remove: (heartbeat: Heartbeat) => void
  readonly size: () => number
  /** The number of times at which heartbeats are due. */
  readonly slots: () => number
  /**
   * The delay until the first heartbeat of a stream with this interval, in ms: all parts of it in turn, so that streams
   * that open together do not all wake up together later.
   */
  readonly firstAfter: (intervalMs: number) => number
  /** Calls what became due since the last call. */
  readonly advance: (now: Instant) => void
}

export const slotMs = 1_000
const slotOf = (time: Instant): number => Math.ceil(time / slotMs)

export const makeHeartbeatTimer = (): HeartbeatTimer => {
  const slots = new Map<number, Set<Heartbeat>>()
  const slotOfHeartbeat = new Map<Heartbeat, number>()
  let done = 0
  let added = 0

  const add = (heartbeat: Heartbeat, due: Instant): void => {
    // A time that has passed is in the next slot.
    const slot = Math.max(slotOf(due), done + 1)
    const heartbeatsOfSlot = slots.get(slot) ?? new Set()
    slots.set(slot, heartbeatsOfSlot.add(heartbeat))
    slotOfHeartbeat.set(heartbeat, slot)
  }
  return {
    add,
    remove: (heartbeat) => {
      const slot = slotOfHeartbeat.get(heartbeat)
      if (slot === undefined) return
      slotOfHeartbeat.delete(heartbeat)
      const heartbeatsOfSlot = slots.get(slot)
      heartbeatsOfSlot?.delete(heartbeat)
      if (heartbeatsOfSlot?.size === 0) slots.delete(slot)
    },
    size: () => slotOfHeartbeat.size,
    slots: () => slots.size,
    firstAfter: (intervalMs) => {
      added += 1
      return (added * slotMs) % intervalMs || intervalMs
    },
    advance: (now) => {
      const last = Math.floor(now / slotMs)
      // Skips the time in which there were no heartbeats.
      if (slotOfHeartbeat.size === 0) done = last
      while (done < last) {
        done += 1
        const heartbeatsOfSlot = slots.get(done) ?? []
        slots.delete(done)
        for (const heartbeat of heartbeatsOfSlot) {
          slotOfHeartbeat.delete(heartbeat)
          const next = heartbeat.beat(now)
          if (next !== null) add(heartbeat, next)
        }
      }
    }
  }
}
