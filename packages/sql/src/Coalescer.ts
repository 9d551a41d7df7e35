import { addCount, EventLoop, StorageBusy, StorageUnavailable } from "@parley/core"
import { Effect, Exit, Runtime, RuntimeFlags, type Scope } from "effect"

/** The result of one submitted item: its result in the batch, or the reason why it was not carried out. */
export type Answer<Out, E> = Effect.Effect<Out, E | StorageBusy | StorageUnavailable>

/** How items are collected into batches and carried out. */
export interface CoalescerOptions<In, Out, E> {
  /**
   * Carries out a batch and returns one answer for each item, in order. Its own failure fails every item. The caller
   * runs the answer's effect after the batch.
   */
  readonly run: (batch: ReadonlyArray<In>) => Effect.Effect<ReadonlyArray<Answer<Out, E>>, E>
  /** The maximum number of batches that run at the same time. */
  readonly concurrency: number
  /** The minimum number of queued items to start a batch while another one runs. Default: 1. */
  readonly minWaiting?: number
  readonly maxBatch: number
  /** The maximum total weight of the items of one batch. A single heavier item runs alone. */
  readonly maxWeight: number
  readonly weigh: (item: In) => number
  /** The maximum number of queued items. A further item fails with `StorageBusy`. */
  readonly capacity: number
  /** The partition of an item. Batches take queued items from the partitions in round-robin order. */
  readonly partition: (item: In) => string
  /**
   * The maximum numbers of items of one partition: those that run, beyond which its other items stay queued, and those
   * that are queued, beyond which a further one fails with `StorageBusy`. Default: no limits.
   */
  readonly share?: { readonly running: number; readonly queued: number }
  /** Whether interrupted callers leave at once, although their items are carried out: for reads. Default: false. */
  readonly abandons?: boolean
}

const storageClosed = Effect.fail(new StorageUnavailable({ cause: new Error("The storage is closed") }))

/** Collects the items that arrive while a batch runs into the next batch. */
export interface Coalescer<In, Out, E> {
  readonly submit: (item: In) => Answer<Out, E>
}

interface Entry<In, Out, E> {
  readonly item: In
  readonly partition: string
  readonly weight: number
  readonly resume: (answer: Answer<Out, E>) => void
  state: "queued" | "underway" | "over"
  /** Set if the caller was interrupted while the batch runs; the caller waits for the end of the batch. */
  released: (() => void) | null
}

/**
 * Makes a coalescer that lives as long as the scope. Batches run uninterruptibly. Unless the coalescer `abandons`, a
 * caller that is interrupted while its item is queued removes the item; later, it waits until the batch ends. When the
 * scope closes, running batches finish and queued items fail with `StorageUnavailable`.
 *
 * A batch starts in the next turn of the `EventLoop`, so that it includes all items submitted in this turn. No clock is
 * used.
 */
export const make = <In, Out, E>(
  options: CoalescerOptions<In, Out, E>
): Effect.Effect<Coalescer<In, Out, E>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { defer } = yield* EventLoop
    const runFork = Runtime.runFork(yield* Effect.runtime<never>())
    const { running: maxRunning, queued: maxQueued } = options.share ?? { running: null, queued: options.capacity }
    const queues = new Map<string, Array<Entry<In, Out, E>>>()
    /** The queues of partitions whose share runs. */
    const held = new Map<string, Array<Entry<In, Out, E>>>()
    /** Numbers of running items, of partitions that have any; empty without shares. */
    const runningOf = new Map<string, number>()
    /** Number of items in `queues`. */
    let waiting = 0
    /** Number of items in `held`. */
    let holding = 0
    let running = 0
    let scheduled = false
    let closed = false
    /** Called when the last running batch has finished. */
    let whenIdle = () => {}

    const take = (limit: number): Array<Entry<In, Out, E>> => {
      const batch: Array<Entry<In, Out, E>> = []
      let weight = 0
      // Round robin: the queue of a served partition moves to the end, where this loop meets it again.
      for (const [partition, queue] of queues) {
        const next = queue[0] as Entry<In, Out, E>
        if (batch.length === limit || (batch.length > 0 && weight + next.weight > options.maxWeight)) break
        queue.shift()
        queues.delete(partition)
        if (queue.length > 0) queues.set(partition, queue)
        next.state = "underway"
        waiting--
        weight += next.weight
        batch.push(next)
        if (maxRunning !== null) begin(partition, queue, maxRunning)
      }
      return batch
    }

    /** Counts a running item; holds the queue of its partition if that was the last of its share. */
    const begin = (partition: string, queue: Array<Entry<In, Out, E>>, max: number) => {
      addCount(runningOf, partition, 1)
      if ((runningOf.get(partition) ?? 0) < max || !queues.delete(partition)) return
      held.set(partition, queue)
      waiting -= queue.length
      holding += queue.length
    }

    const end = ({ partition }: Entry<In, Out, E>) => {
      addCount(runningOf, partition, -1)
      const queue = held.get(partition)
      if (queue === undefined) return
      held.delete(partition)
      queues.set(partition, queue)
      waiting += queue.length
      holding -= queue.length
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
        if (maxRunning !== null) for (const entry of batch) end(entry)
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

    const minWaiting = options.minWaiting ?? 1
    const mayStart = () => waiting > 0 && (running === 0 || (running < options.concurrency && waiting >= minWaiting))

    const start = () => {
      scheduled = false
      while (mayStart()) {
        const places = Math.min(options.concurrency - running, Math.max(1, Math.floor(waiting / minWaiting)))
        launch(take(Math.min(options.maxBatch, Math.ceil(waiting / places))))
      }
    }

    const schedule = () => {
      if (scheduled || !mayStart()) return
      scheduled = true
      defer(start)
    }

    const withdraw = (entry: Entry<In, Out, E>) => {
      const isHeld = held.has(entry.partition)
      const all = isHeld ? held : queues
      const queue = all.get(entry.partition) as Array<Entry<In, Out, E>>
      queue.splice(queue.indexOf(entry), 1)
      if (queue.length === 0) all.delete(entry.partition)
      if (isHeld) holding--
      else waiting--
      entry.state = "over"
    }

    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => {
        closed = true
        const left = [...queues.values(), ...held.values()].flat()
        queues.clear()
        held.clear()
        waiting = 0
        holding = 0
        for (const entry of left) {
          entry.state = "over"
          entry.resume(storageClosed)
        }
        return running === 0
          ? Effect.void
          : Effect.async<void>((resume) => {
              whenIdle = () => resume(Effect.void)
            })
      })
    )

    /** Queues an item; null if it was answered at once. */
    const enqueue = (item: In, resume: (answer: Answer<Out, E>) => void): Entry<In, Out, E> | null => {
      if (closed) {
        resume(storageClosed)
        return null
      }
      const partition = options.partition(item)
      const isHeld = maxRunning !== null && (runningOf.get(partition) ?? 0) >= maxRunning
      const all = isHeld ? held : queues
      const queue = all.get(partition)
      if (waiting + holding >= options.capacity || (queue?.length ?? 0) >= maxQueued) {
        resume(Effect.fail(new StorageBusy({ reason: "the queue of the storage is full" })))
        return null
      }
      const entry: Entry<In, Out, E> = {
        item,
        partition,
        weight: options.weigh(item),
        resume,
        state: "queued",
        released: null
      }
      if (queue === undefined) all.set(partition, [entry])
      else queue.push(entry)
      if (isHeld) holding++
      else waiting++
      schedule()
      return entry
    }

    const interrupted = (entry: Entry<In, Out, E>): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (entry.state === "queued") withdraw(entry)
        return entry.state === "over"
          ? Effect.void
          : Effect.async<void>((done) => {
              entry.released = () => done(Effect.void)
            })
      })

    const waitForAnswer = (item: In): Answer<Out, E> =>
      Effect.async((resume) => {
        enqueue(item, resume)
      })
    if (options.abandons === true) return { submit: waitForAnswer }
    return {
      // A callback for interruption costs ten operations of the fiber.
      submit: (item) =>
        Effect.withFiberRuntime((_, { runtimeFlags }) => {
          if (!RuntimeFlags.interruptible(runtimeFlags)) return waitForAnswer(item)
          return Effect.async((resume) => {
            const entry = enqueue(item, resume)
            return entry === null ? undefined : interrupted(entry)
          })
        })
    }
  })

/**
 * Makes a coalescer for a statement that many callers share: batches run one after another, in order of arrival. `run`
 * returns the results of the items, in order. For statements that update the same few rows, a second batch would wait
 * for the locks of the first.
 */
export const makeSerial = <In, Out, E>(
  run: (batch: ReadonlyArray<In>) => Effect.Effect<ReadonlyArray<Out>, E>
): Effect.Effect<(item: In) => Answer<Out, E>, never, Scope.Scope> =>
  Effect.map(
    make<In, Out, E>({
      run: (batch) => Effect.map(run(batch), (results) => results.map((result) => Effect.succeed(result))),
      concurrency: 1,
      maxBatch: 500,
      maxWeight: 500,
      weigh: () => 1,
      capacity: 20_000,
      partition: () => ""
    }),
    ({ submit }) => submit
  )
