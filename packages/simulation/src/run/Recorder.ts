import type { Entry } from "../audit/Journal.js"
import type { Timeline } from "./Timeline.js"

type WithoutTime = Entry extends infer E ? (E extends Entry ? Omit<E, "at"> : never) : never

/** Writes the journal of a history. */
export interface Recorder {
  readonly entries: ReadonlyArray<Entry>
  /** Appends an entry at the present time. */
  readonly record: (entry: WithoutTime) => void
  /** Returns the next number, for requests, hand-overs and attempts. */
  readonly number: () => number
}

export const makeRecorder = (timeline: Pick<Timeline, "now">): Recorder => {
  const entries: Array<Entry> = []
  let latest = 0
  return {
    entries,
    record: (entry) => void entries.push({ ...entry, at: timeline.now() } as Entry),
    number: () => ++latest
  }
}
