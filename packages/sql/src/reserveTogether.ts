import type { Instant, Reservation } from "@parley/core"

/** The reservations of one moment in one line; times in microseconds. */
interface Line {
  readonly key: string
  nowUs: number
  takenUs: number
  /** By the clock, in ms: when the line would be empty again if nobody else were in it. */
  keptUntil: number
}

/** A line as it is after the reservations of a batch. */
export interface LineAfter {
  readonly key: string
  readonly nextUs: number
}

/** The reservations of a batch, together. */
export interface Reservations {
  /** What the statement takes, in the order of the lines' names, so that batches do not wait in a circle. */
  readonly json: string
  /** Which slot one of them got, asked in their order. */
  readonly slotOf: (after: ReadonlyArray<LineAfter>) => (reservation: Reservation) => Instant
}

/**
 * Virtual scheduling (the GCRA of ITU-T I.371): a message takes the line for its share of the rate, and may go ahead of its
 * turn by what the burst allows. All of a batch take the line at once, at the latest of their times, and share out what they took.
 */
export const reserveTogether = (reservations: ReadonlyArray<Reservation>): Reservations => {
  const lines = new Map<string, Line>()
  for (const reservation of reservations) {
    const { behind, key, now } = reservation
    const nowUs = now * 1_000
    const takenUs = shareUs(reservation)
    const line = lines.get(key)
    if (line === undefined) {
      lines.set(key, { key, nowUs, takenUs, keptUntil: now + Math.ceil(takenUs / 1_000) + behind })
    } else {
      line.nowUs = Math.max(line.nowUs, nowUs)
      line.takenUs += takenUs
      line.keptUntil = Math.max(line.keptUntil, Math.ceil((line.nowUs + line.takenUs) / 1_000) + behind)
    }
  }
  return {
    json: JSON.stringify([...lines.values()].sort((one, other) => (one.key < other.key ? -1 : 1))),
    slotOf: (after) => {
      const turns = new Map(after.map(({ key, nextUs }) => [key, nextUs - (lines.get(key)?.takenUs ?? 0)]))
      return (reservation) => {
        const { burst, key, now } = reservation
        const turn = turns.get(key) as number
        const share = shareUs(reservation)
        turns.set(key, turn + share)
        return Math.max(now, Math.ceil((turn - (burst - 1) * share) / 1_000))
      }
    }
  }
}

/** For how long one message takes the line; rounded so that the rate is never exceeded. */
const shareUs = ({ messages, per }: Reservation): number => Math.ceil((per * 1_000) / messages)
