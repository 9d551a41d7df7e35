import type { Instant } from "@parley/core"
import { Clock, Effect } from "effect"

/** Called when it is due. Returns when it is due next, or null for never. */
export type Beat = (now: Instant) => Instant | null

/**
 * Calls each stream when it is due, to the second. One fiber does it for all streams, because a fiber for each cost
 * most of a stream's memory. It runs while streams are open.
 */
export interface PulseTimer {
  readonly add: (beat: Beat, due: Instant) => Effect.Effect<void>
  readonly remove: (beat: Beat) => void
  /**
   * The delay until the first beat of a stream with this interval, in ms: all parts of it in turn, so that streams that
   * open together do not all wake up together later.
   */
  readonly firstAfter: (intervalMs: number) => number
}

const slotMs = 1_000
const slotOf = (time: Instant): number => Math.ceil(time / slotMs)

export const makePulseTimer = (): PulseTimer => {
  const slots = new Map<number, Set<Beat>>()
  const slotOfBeat = new Map<Beat, number>()
  let isRunning = false
  let done = 0
  let added = 0

  const put = (beat: Beat, due: Instant): void => {
    // A time that has passed is in the next slot.
    const slot = Math.max(slotOf(due), done + 1)
    const beats = slots.get(slot) ?? new Set()
    slots.set(slot, beats.add(beat))
    slotOfBeat.set(beat, slot)
  }
  const remove = (beat: Beat): void => {
    const slot = slotOfBeat.get(beat)
    if (slot === undefined) return
    slotOfBeat.delete(beat)
    slots.get(slot)?.delete(beat)
  }
  const advance = (now: Instant): void => {
    for (const upTo = Math.floor(now / slotMs); done < upTo; ) {
      done += 1
      const beats = slots.get(done) ?? []
      slots.delete(done)
      for (const beat of beats) {
        slotOfBeat.delete(beat)
        const next = beat(now)
        if (next !== null) put(beat, next)
      }
    }
  }
  const run = Effect.sleep(slotMs).pipe(
    Effect.zipRight(Clock.currentTimeMillis),
    Effect.map(advance),
    Effect.repeat({ while: () => slotOfBeat.size > 0 }),
    Effect.ensuring(
      Effect.sync(() => {
        isRunning = false
      })
    )
  )

  return {
    add: (beat, due) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        if (!isRunning) done = Math.floor(now / slotMs)
        put(beat, due)
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
