import TinyQueue from "tinyqueue"

/** Simulated time: the present, and what is due later. */
export interface Timeline {
  /** True time in ms since the Unix epoch. Whole numbers. */
  readonly now: () => number
  /** Runs a task after `ms`, in the order of times, then of calls. Returns a function that cancels it. */
  readonly after: (ms: number, task: () => void) => () => void
  /** Runs what is due, and moves time on, until the predicate holds or nothing is left. */
  readonly runUntil: (isOver: () => boolean) => void
}

interface Due {
  readonly at: number
  readonly order: number
  /** Null after a cancellation. */
  task: (() => void) | null
}

export const makeTimeline = (startsAt: number): Timeline => {
  let now = startsAt
  let order = 0
  const queue = new TinyQueue<Due>([], (one, other) => one.at - other.at || one.order - other.order)
  return {
    now: () => now,
    after: (ms, task) => {
      const due: Due = { at: now + Math.max(0, Math.ceil(ms)), order: order++, task }
      queue.push(due)
      return () => {
        due.task = null
      }
    },
    runUntil: (isOver) => {
      while (!isOver()) {
        const next = queue.pop()
        if (next === undefined) return
        if (next.task === null) continue
        now = next.at
        next.task()
      }
    }
  }
}
