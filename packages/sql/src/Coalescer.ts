import { StorageBusy, StorageUnavailable } from "@parley/core"
import { Effect, Exit, Runtime, type Scope } from "effect"

/** What a caller of {@link Coalescer} gets: what the batch came to for its item, or why it was not carried out. */
export type Answer<Out, E> = Effect.Effect<Out, E | StorageBusy | StorageUnavailable>

/** How items are gathered and carried out. */
export interface CoalescerOptions<In, Out, E> {
  /**
   * Carries out a batch: one answer for each item, in order. Its own failure is everybody's. An answer that is more than a
   * value is carried out by the caller, after the batch.
   */
  readonly run: (batch: ReadonlyArray<In>) => Effect.Effect<ReadonlyArray<Answer<Out, E>>, E>
  /** How many batches may be under way at once. */
  readonly concurrency: number
  /** How many must wait before a batch begins beside one that is under way. Default: 1. */
  readonly worthAnother?: number
  readonly maxBatch: number
  /** The most that the items of one batch may weigh together, unless one alone weighs more. */
  readonly maxWeight: number
  readonly weigh: (item: In) => number
  /** How many items may wait; one more is answered with `StorageBusy`. */
  readonly capacity: number
  /** Whose item it is; those who wait take turns. */
  readonly partition: (item: In) => string
}

/** Gathers what arrives while a batch is under way into the next one. */
export interface Coalescer<In, Out, E> {
  readonly submit: (item: In) => Answer<Out, E>
}

interface Entry<In, Out, E> {
  readonly item: In
  readonly weight: number
  readonly resume: (answer: Answer<Out, E>) => void
  state: "queued" | "underway" | "over"
  /** Set by a caller who was interrupted while the batch is under way, and waits for its end. */
  released: (() => void) | null
}

/**
 * A coalescer that lives as long as the scope. Batches run uninterruptibly. A caller who is interrupted while queued is
 * taken out; later, it waits for the batch to end. When the scope closes, batches under way are finished and whoever is
 * queued gets `StorageUnavailable`.
 *
 * A batch begins at the end of the event loop's turn, so that all who were woken in that turn are in it; no clock is used.
 */
export const make = <In, Out, E>(
  options: CoalescerOptions<In, Out, E>
): Effect.Effect<Coalescer<In, Out, E>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const runFork = Runtime.runFork(yield* Effect.runtime<never>())
    const queues = new Map<string, Array<Entry<In, Out, E>>>()
    let waiting = 0
    let running = 0
    let scheduled = false
    let closed = false
    /** Called when no batch is under way any more. */
    let whenIdle = () => {}

    const take = (most: number): Array<Entry<In, Out, E>> => {
      const batch: Array<Entry<In, Out, E>> = []
      let weight = 0
      while (waiting > 0 && batch.length < most) {
        for (const [partition, queue] of queues) {
          const next = queue[0]
          if (next !== undefined && batch.length > 0 && weight + next.weight > options.maxWeight) return batch
          queue.shift()
          // whoever was served goes to the end of the line
          queues.delete(partition)
          if (queue.length > 0) queues.set(partition, queue)
          if (next !== undefined) {
            next.state = "underway"
            waiting--
            weight += next.weight
            batch.push(next)
          }
          if (batch.length >= most) return batch
        }
      }
      return batch
    }

    const settle = (entry: Entry<In, Out, E>, answer: Answer<Out, E>) => {
      entry.state = "over"
      if (entry.released === null) entry.resume(answer)
      else entry.released()
    }

    const launch = (batch: ReadonlyArray<Entry<In, Out, E>>) => {
      running++
      const finish = (exit: Exit.Exit<ReadonlyArray<Answer<Out, E>>, E>) => {
        running--
        for (let i = 0; i < batch.length; i++) {
          const answer = Exit.isSuccess(exit) ? (exit.value[i] as Answer<Out, E>) : Effect.failCause(exit.cause)
          settle(batch[i] as Entry<In, Out, E>, answer)
        }
        if (running === 0) whenIdle()
        schedule()
      }
      const work = Effect.suspend(() => options.run(batch.map((entry) => entry.item))).pipe(
        Effect.exit,
        Effect.map(finish),
        Effect.uninterruptible
      )
      runFork(work)
    }

    const worthAnother = options.worthAnother ?? 1
    const mayBegin = () => waiting > 0 && (running === 0 || (running < options.concurrency && waiting >= worthAnother))

    const start = () => {
      scheduled = false
      while (mayBegin()) {
        const places = Math.min(options.concurrency - running, Math.max(1, Math.floor(waiting / worthAnother)))
        launch(take(Math.min(options.maxBatch, Math.ceil(waiting / places))))
      }
    }

    const schedule = () => {
      if (scheduled || closed || !mayBegin()) return
      scheduled = true
      setImmediate(start)
    }

    const withdraw = (partition: string, entry: Entry<In, Out, E>) => {
      const queue = queues.get(partition) ?? []
      queue.splice(queue.indexOf(entry), 1)
      if (queue.length === 0) queues.delete(partition)
      waiting--
      entry.state = "over"
    }

    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => {
        closed = true
        const left = [...queues.values()].flat()
        queues.clear()
        waiting = 0
        for (const entry of left) {
          entry.state = "over"
          entry.resume(Effect.fail(new StorageUnavailable({ cause: new Error("The storage is closed") })))
        }
        return running === 0
          ? Effect.void
          : Effect.async<void>((resume) => {
              whenIdle = () => resume(Effect.void)
            })
      })
    )

    return {
      submit: (item) =>
        Effect.async((resume) => {
          if (closed) return resume(Effect.fail(new StorageUnavailable({ cause: new Error("The storage is closed") })))
          if (waiting >= options.capacity) {
            return resume(Effect.fail(new StorageBusy({ reason: "Too much is waiting to be carried out" })))
          }
          const partition = options.partition(item)
          const entry: Entry<In, Out, E> = {
            item,
            weight: options.weigh(item),
            resume,
            state: "queued",
            released: null
          }
          const queue = queues.get(partition)
          if (queue === undefined) queues.set(partition, [entry])
          else queue.push(entry)
          waiting++
          schedule()
          return Effect.suspend(() => {
            if (entry.state === "queued") withdraw(partition, entry)
            return entry.state === "over"
              ? Effect.void
              : Effect.async<void>((done) => {
                  entry.released = () => done(Effect.void)
                })
          })
        })
    }
  })
