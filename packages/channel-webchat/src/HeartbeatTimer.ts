import type { Instant } from "@parley/core"
import { Clock, Effect } from "effect"

/** Called when it is due. Returns when it is due next, or null for never. */
export type Heartbeat = (now: Instant) => Instant | null

/**
 * Calls each stream when it is due, to the second. One fiber does it for all streams, because a fiber for each cost
 * most of a stream's memory. It runs while streams are open.
 */
export interface HeartbeatTimer {
  readonly add: (heartbeat: Heartbeat, due: Instant) => Effect.Effect<void>
  readonly remove: (heartbeat: Heartbeat) => void
  /**
   * The delay until the first heartbeat of a stream with this interval, in ms: all parts of it in turn, so that streams that
   * open together do not all wake up together later.
   */
  readonly firstAfter: (intervalMs: number) => number
}

const slotMs = 1_000
const slotOf = (time: Instant): number => Math.ceil(time / slotMs)

export const makeHeartbeatTimer = (): HeartbeatTimer => {
  const slots = new Map<number, Set<Heartbeat>>()
  const slotOfHeartbeat = new Map<Heartbeat, number>()
  let isRunning = false
  let done = 0
  let added = 0

  const put = (heartbeat: Heartbeat, due: Instant): void => {
    // A time that has passed is in the next slot.
    const slot = Math.max(slotOf(due), done + 1)
    const heartbeatsOfSlot = slots.get(slot) ?? new Set()
    slots.set(slot, heartbeatsOfSlot.add(heartbeat))
    slotOfHeartbeat.set(heartbeat, slot)
  }
  const remove = (heartbeat: Heartbeat): void => {
    const slot = slotOfHeartbeat.get(heartbeat)
    if (slot === undefined) return
    slotOfHeartbeat.delete(heartbeat)
    slots.get(slot)?.delete(heartbeat)
  }
  const advance = (now: Instant): void => {
    for (const upTo = Math.floor(now / slotMs); done < upTo; ) {
      done += 1
      const heartbeatsOfSlot = slots.get(done) ?? []
      slots.delete(done)
      for (const heartbeat of heartbeatsOfSlot) {
        slotOfHeartbeat.delete(heartbeat)
        const next = heartbeat(now)
        if (next !== null) put(heartbeat, next)
      }
    }
  }
  const run = Effect.sleep(slotMs).pipe(
    Effect.zipRight(Clock.currentTimeMillis),
    Effect.map(advance),
    Effect.repeat({ while: () => slotOfHeartbeat.size > 0 }),
    Effect.ensuring(
      Effect.sync(() => {
        isRunning = false
      })
    )
  )

  return {
    add: (heartbeat, due) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        if (!isRunning) done = Math.floor(now / slotMs)
        put(heartbeat, due)
        if (isRunning) return Effect.void
        isRunning = true
        return Effect.forkDaemon(Effect.interruptible(run))
      }),
    remove,
    firstAfter: (intervalMs) => {
      added += 1
      return (added * slotMs) % intervalMs || intervalMs
    }
  }
}
