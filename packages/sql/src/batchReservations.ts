import type { Instant, Reservation } from "@parley/core"

/** The reservations of one batch in one slot queue; times in µs. */
interface SlotQueue {
  readonly key: string
  nowUs: number
  takenUs: number
  /** In ms of the clock: when the slot queue would be empty without further reservations. */
  keptUntil: number
}

/** A slot queue after the reservations of a batch. */
export interface SlotQueueAfter {
  readonly key: string
  readonly nextUs: number
}

/** The combined reservations of a batch. */
export interface Reservations {
  /** The statement's parameter, sorted by key so that concurrent batches cannot deadlock. */
  readonly json: string
  /** The slot of one reservation. Call it in the order of the reservations. */
  readonly slotOf: (after: ReadonlyArray<SlotQueueAfter>) => (reservation: Reservation) => Instant
}

/**
 * Virtual scheduling (the GCRA of ITU-T I.371): a message takes its share of the rate from the slot queue, and the
 * burst allows it to be sent earlier than its virtual time. All reservations of a batch advance the slot queue in one
 * update, at the latest of their times, and are assigned their positions afterwards.
 */
export const batchReservations = (reservations: ReadonlyArray<Reservation>): Reservations => {
  const queues = new Map<string, SlotQueue>()
  for (const reservation of reservations) {
    const { behind, key, now } = reservation
    const nowUs = now * 1_000
    const takenUs = shareUs(reservation)
    const queue = queues.get(key)
    if (queue === undefined) {
      queues.set(key, { key, nowUs, takenUs, keptUntil: now + Math.ceil(takenUs / 1_000) + behind })
    } else {
      queue.nowUs = Math.max(queue.nowUs, nowUs)
      queue.takenUs += takenUs
      queue.keptUntil = Math.max(queue.keptUntil, Math.ceil((queue.nowUs + queue.takenUs) / 1_000) + behind)
    }
  }
  return {
    json: JSON.stringify([...queues.values()].sort((one, other) => (one.key < other.key ? -1 : 1))),
    slotOf: (after) => {
      const positions = new Map(after.map(({ key, nextUs }) => [key, nextUs - (queues.get(key)?.takenUs ?? 0)]))
      return (reservation) => {
        const { burst, key, now } = reservation
        const position = positions.get(key) as number
        const share = shareUs(reservation)
        positions.set(key, position + share)
        return Math.max(now, Math.ceil((position - (burst - 1) * share) / 1_000))
      }
    }
  }
}

/** The interval that one message takes, in µs; rounded up so that the rate is never exceeded. */
const shareUs = ({ messages, per }: Reservation): number => Math.ceil((per * 1_000) / messages)
