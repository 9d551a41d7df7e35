import { describe, expect, it } from "@effect/vitest"
import { EventLoop, StorageBusy, StorageUnavailable } from "@parley/core"
import { Deferred, Effect, Exit, FastCheck, Fiber, Option, Scope } from "effect"
import * as Coalescer from "../src/Coalescer.js"

interface Item {
  readonly of: string
  readonly name: string
}

/** A coalescer whose batches wait until the test releases them, and a record of the items of each batch. */
const gated = (options: Partial<Coalescer.CoalescerOptions<Item, string, never>> = {}) =>
  Effect.gen(function* () {
    const batches: Array<{ readonly items: ReadonlyArray<string>; readonly go: Deferred.Deferred<void> }> = []
    const arrivals: Array<() => void> = []
    const coalescer = yield* Coalescer.make<Item, string, never>({
      run: (items) =>
        Effect.gen(function* () {
          const go = yield* Deferred.make<void>()
          batches.push({ items: items.map(({ name }) => name), go })
          for (const arrived of arrivals.splice(0)) arrived()
          yield* Deferred.await(go)
          return items.map(({ name }) => Effect.succeed(`did ${name}`))
        }),
      concurrency: 1,
      maxBatch: 100,
      maxWeight: 1_000,
      weigh: () => 1,
      capacity: 100,
      partition: ({ of }) => of,
      ...options
    })
    /** Waits until this number of batches has started. */
    const begun = (count: number): Effect.Effect<void> =>
      Effect.suspend(() =>
        batches.length >= count
          ? Effect.void
          : Effect.zipRight(
              Effect.async<void>((resume) => {
                arrivals.push(() => resume(Effect.void))
              }),
              begun(count)
            )
      )
    const letGo = (index: number) =>
      Effect.suspend(() => Deferred.succeed(batches[index]?.go as Deferred.Deferred<void>, undefined))
    const submit = (name: string, of = "one") => Effect.fork(coalescer.submit({ of, name }))
    return { batches, begun, coalescer, letGo, submit }
  })

/** Lets every runnable fiber run. */
const settleDown = Effect.async<void>((resume) => {
  setImmediate(() => setImmediate(() => resume(Effect.void)))
})

describe("Coalescer", () => {
  it.scoped("collects the items that arrive while a batch runs into the next one", () =>
    Effect.gen(function* () {
      const { batches, begun, letGo, submit } = yield* gated()
      const first = yield* submit("a")
      yield* begun(1)
      const others = [yield* submit("b"), yield* submit("c")]
      yield* settleDown
      expect(batches.map(({ items }) => items)).toEqual([["a"]])
      yield* letGo(0)
      yield* begun(2)
      yield* letGo(1)
      expect(batches.map(({ items }) => items)).toEqual([["a"], ["b", "c"]])
      expect(yield* Fiber.join(first)).toBe("did a")
      expect(yield* Effect.forEach(others, Fiber.join)).toEqual(["did b", "did c"])
    })
  )

  it.scoped("collects all items of one event loop iteration into one batch", () =>
    Effect.gen(function* () {
      const { batches, begun, letGo, submit } = yield* gated()
      const fibers = [yield* submit("a"), yield* submit("b"), yield* submit("c")]
      yield* begun(1)
      yield* letGo(0)
      yield* Effect.forEach(fibers, Fiber.join)
      expect(batches.map(({ items }) => items)).toEqual([["a", "b", "c"]])
    })
  )

  it.scoped("divides the queued items among the free batches", () =>
    Effect.gen(function* () {
      const { batches, begun, submit, letGo } = yield* gated({ concurrency: 2 })
      const fibers = [yield* submit("a"), yield* submit("b"), yield* submit("c"), yield* submit("d")]
      yield* begun(2)
      expect(batches.map(({ items }) => items)).toEqual([
        ["a", "b"],
        ["c", "d"]
      ])
      yield* letGo(0)
      yield* letGo(1)
      yield* Effect.forEach(fibers, Fiber.join)
    })
  )

  it.scoped("gives all queued items to the last free batch", () =>
    Effect.gen(function* () {
      const { batches, begun, letGo, submit } = yield* gated({ concurrency: 2 })
      const fibers = [yield* submit("a")]
      yield* begun(1)
      fibers.push(yield* submit("b"), yield* submit("c"))
      yield* begun(2)
      expect(batches.map(({ items }) => items)).toEqual([["a"], ["b", "c"]])
      yield* letGo(0)
      yield* letGo(1)
      yield* Effect.forEach(fibers, Fiber.join)
    })
  )

  it.scoped("asks the event loop for one turn for each batch", () =>
    Effect.gen(function* () {
      const loop = yield* EventLoop
      let turns = 0
      const defer = (task: () => void) => {
        turns++
        return loop.defer(task)
      }
      const { begun, letGo, submit } = yield* Effect.provideService(gated(), EventLoop, { ...loop, defer })
      const fibers = [yield* submit("a"), yield* submit("b")]
      yield* begun(1)
      fibers.push(yield* submit("c"), yield* submit("d"))
      yield* settleDown
      expect(turns).toBe(1)
      yield* letGo(0)
      yield* begun(2)
      yield* letGo(1)
      yield* Effect.forEach(fibers, Fiber.join)
      yield* settleDown
      expect(turns).toBe(2)
    })
  )

  it.scoped("starts a concurrent batch only if enough items are queued", () =>
    Effect.gen(function* () {
      const { batches, begun, letGo, submit } = yield* gated({ concurrency: 2, minWaiting: 3 })
      const fibers = [yield* submit("a"), yield* submit("b")]
      yield* begun(1)
      fibers.push(yield* submit("c"), yield* submit("d"))
      yield* settleDown
      expect(batches.map(({ items }) => items)).toEqual([["a", "b"]])
      fibers.push(yield* submit("e"))
      yield* begun(2)
      expect(batches.map(({ items }) => items)).toEqual([
        ["a", "b"],
        ["c", "d", "e"]
      ])
      yield* letGo(0)
      yield* letGo(1)
      yield* Effect.forEach(fibers, Fiber.join)
    })
  )

  it.scoped("takes items from the partitions in round-robin order", () =>
    Effect.gen(function* () {
      const { batches, begun, letGo, submit } = yield* gated({ maxBatch: 3 })
      const fibers = []
      for (const name of ["a1", "a2", "a3", "a4"]) fibers.push(yield* submit(name, "a"))
      fibers.push(yield* submit("b1", "b"))
      for (const index of [0, 1]) {
        yield* begun(index + 1)
        yield* letGo(index)
      }
      yield* Effect.forEach(fibers, Fiber.join)
      expect(batches.map(({ items }) => items)).toEqual([
        ["a1", "b1", "a2"],
        ["a3", "a4"]
      ])
    })
  )

  describe("with shares", () => {
    const shares = { concurrency: 4, maxBatch: 1, capacity: 6, share: { running: 2, queued: 3 } }

    it.scoped("runs at most the share of a partition, and others beside it", () =>
      Effect.gen(function* () {
        const { batches, begun, letGo, submit } = yield* gated(shares)
        const fibers = []
        for (const name of ["a1", "a2"]) fibers.push(yield* submit(name, "a"))
        yield* begun(2)
        for (const name of ["a3", "a4", "a5"]) fibers.push(yield* submit(name, "a"))
        yield* settleDown
        for (const of of ["b", "c"]) fibers.push(yield* submit(of, of))
        yield* begun(4)
        yield* settleDown
        const names = () => batches.flatMap(({ items }) => items)
        expect(names()).toEqual(["a1", "a2", "b", "c"])
        yield* letGo(2)
        yield* letGo(3)
        yield* settleDown
        expect(names()).toHaveLength(4)
        yield* letGo(0)
        yield* begun(5)
        yield* settleDown
        expect(names()).toEqual(["a1", "a2", "b", "c", "a3"])
        for (const index of [1, 4]) yield* letGo(index)
        yield* begun(7)
        for (const index of [5, 6]) yield* letGo(index)
        expect(yield* Effect.forEach(fibers, Fiber.join)).toHaveLength(7)
      })
    )

    it.scoped("queues at most the share of a partition, and at most its capacity of all", () =>
      Effect.gen(function* () {
        const { batches, begun, coalescer, letGo, submit } = yield* gated({ ...shares, concurrency: 2 })
        const refused = (of: string) =>
          Effect.map(Effect.either(coalescer.submit({ of, name: "x" })), ({ _tag }) => _tag === "Left")
        const fibers = []
        for (const name of ["a1", "a2"]) fibers.push(yield* submit(name, "a"))
        yield* begun(2)
        for (const name of ["a3", "a4", "a5"]) fibers.push(yield* submit(name, "a"))
        yield* settleDown
        expect(yield* refused("a")).toBe(true)
        const gone = yield* submit("b1", "b")
        for (const name of ["b2", "b3"]) fibers.push(yield* submit(name, "b"))
        yield* settleDown
        expect(yield* refused("c")).toBe(true)
        yield* Fiber.interrupt(gone)
        yield* Fiber.interrupt(fibers.pop() as Fiber.RuntimeFiber<string>)
        // One that is held back leaves, too.
        yield* Fiber.interrupt(fibers.splice(4, 1)[0] as Fiber.RuntimeFiber<string>)
        fibers.push(yield* submit("c1", "c"))
        for (let index = 0; index < 6; index++) {
          yield* begun(index + 1)
          yield* letGo(index)
        }
        expect(yield* Effect.forEach(fibers, Fiber.join)).toEqual(
          ["a1", "a2", "a3", "a4", "b2", "c1"].map((name) => `did ${name}`)
        )
        expect(batches).toHaveLength(6)
      })
    )

    it.scoped("counts the items that are held back against its capacity until they are queued again", () =>
      Effect.gen(function* () {
        const narrow = { concurrency: 1, maxBatch: 1, capacity: 3, share: { running: 1, queued: 3 } }
        const { batches, begun, coalescer, letGo, submit } = yield* gated(narrow)
        const refused = Effect.map(Effect.either(coalescer.submit({ of: "d", name: "d" })), ({ _tag }) => _tag)
        const fibers = []
        for (const name of ["a1", "a2", "a3"]) fibers.push(yield* submit(name, "a"))
        yield* begun(1)
        fibers.push(yield* submit("b", "b"))
        yield* settleDown
        expect(yield* refused).toBe("Left")
        yield* letGo(0)
        yield* begun(2)
        fibers.push(yield* submit("c", "c"))
        yield* settleDown
        expect(yield* refused).toBe("Left")
        for (const index of [1, 2, 3, 4]) {
          yield* begun(index + 1)
          yield* letGo(index)
        }
        yield* Effect.forEach(fibers, Fiber.join)
        expect(batches.flatMap(({ items }) => items)).toEqual(["a1", "b", "a2", "c", "a3"])
      })
    )

    it.scoped("has room again once an item that is held back leaves", () =>
      Effect.gen(function* () {
        const narrow = { concurrency: 1, maxBatch: 1, capacity: 2, share: { running: 1, queued: 3 } }
        const { begun, coalescer, letGo, submit } = yield* gated(narrow)
        const running = yield* submit("a1", "a")
        yield* begun(1)
        const [held, gone] = [yield* submit("a2", "a"), yield* submit("a3", "a")]
        yield* settleDown
        expect((yield* Effect.either(coalescer.submit({ of: "b", name: "b" })))._tag).toBe("Left")
        yield* Fiber.interrupt(gone)
        const other = yield* submit("b", "b")
        yield* settleDown
        expect(yield* Fiber.poll(other)).toEqual(Option.none())
        for (const index of [0, 1, 2]) {
          yield* begun(index + 1)
          yield* letGo(index)
        }
        expect(yield* Effect.forEach([running, held, other], Fiber.join)).toEqual(["did a1", "did a2", "did b"])
      })
    )

    it.effect("refuses items that are held back when it closes", () =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const { begun, letGo, submit } = yield* Scope.extend(gated(shares), scope)
        const [, , held] = [yield* submit("a1", "a"), yield* submit("a2", "a"), yield* submit("a3", "a")]
        yield* begun(2)
        yield* settleDown
        const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
        expect(yield* Effect.flip(Fiber.join(held))).toBeInstanceOf(StorageUnavailable)
        for (const index of [0, 1]) yield* letGo(index)
        yield* Fiber.join(closing)
      })
    )
  })

  it.scoped("limits the weight of a batch, and runs a heavier item alone", () =>
    Effect.gen(function* () {
      const { batches, begun, letGo, submit } = yield* gated({ maxWeight: 10, weigh: ({ name }) => Number(name) })
      const fibers = []
      for (const name of ["6", "5", "4", "99"]) fibers.push(yield* submit(name))
      for (const index of [0, 1, 2]) {
        yield* begun(index + 1)
        yield* letGo(index)
      }
      yield* Effect.forEach(fibers, Fiber.join)
      expect(batches.map(({ items }) => items)).toEqual([["6"], ["5", "4"], ["99"]])
    })
  )

  it.scoped("fills a batch up to its maximum weight", () =>
    Effect.gen(function* () {
      const { batches, begun, letGo, submit } = yield* gated({ maxWeight: 10, weigh: ({ name }) => Number(name) })
      const fibers = []
      for (const name of ["6", "4", "1"]) fibers.push(yield* submit(name))
      for (const index of [0, 1]) {
        yield* begun(index + 1)
        yield* letGo(index)
      }
      yield* Effect.forEach(fibers, Fiber.join)
      expect(batches.map(({ items }) => items)).toEqual([["6", "4"], ["1"]])
    })
  )

  it.scoped("starts as many batches as have enough items, and divides the items among them", () =>
    Effect.gen(function* () {
      const { batches, begun, letGo, submit } = yield* gated({ concurrency: 4, minWaiting: 2 })
      const fibers = []
      for (const name of ["a", "b", "c", "d", "e", "f", "g"]) fibers.push(yield* submit(name))
      yield* begun(3)
      yield* settleDown
      expect(batches.map(({ items }) => items)).toEqual([
        ["a", "b", "c"],
        ["d", "e"],
        ["f", "g"]
      ])
      for (const index of [0, 1, 2]) yield* letGo(index)
      yield* Effect.forEach(fibers, Fiber.join)
    })
  )

  it.scoped("runs at most as many batches as its concurrency", () =>
    Effect.gen(function* () {
      const { batches, begun, letGo, submit } = yield* gated({ concurrency: 2, maxBatch: 1 })
      const fibers = []
      for (const name of ["a", "b", "c"]) fibers.push(yield* submit(name))
      yield* begun(2)
      yield* settleDown
      expect(batches).toHaveLength(2)
      yield* letGo(1)
      yield* begun(3)
      yield* letGo(0)
      yield* letGo(2)
      yield* Effect.forEach(fibers, Fiber.join)
    })
  )

  it.scoped("takes another item for one that was removed while queued", () =>
    Effect.gen(function* () {
      const { batches, begun, coalescer, letGo, submit } = yield* gated({ capacity: 2 })
      yield* submit("a")
      yield* begun(1)
      const stays = yield* submit("b")
      const gone = yield* submit("c")
      yield* settleDown
      yield* Fiber.interrupt(gone)
      const last = yield* submit("d")
      yield* settleDown
      expect(yield* Effect.flip(coalescer.submit({ of: "one", name: "e" }))).toEqual(
        new StorageBusy({ reason: "the queue of the storage is full" })
      )
      yield* letGo(0)
      yield* begun(2)
      yield* letGo(1)
      yield* Fiber.join(stays)
      yield* Fiber.join(last)
      expect(batches.map(({ items }) => items)).toEqual([["a"], ["b", "d"]])
    })
  )

  it.scoped("starts no batch for items that were all removed", () =>
    Effect.gen(function* () {
      const { batches, begun, letGo, submit } = yield* gated()
      yield* submit("a")
      yield* begun(1)
      const gone = yield* submit("b", "two")
      yield* settleDown
      yield* Fiber.interrupt(gone)
      yield* letGo(0)
      yield* settleDown
      expect(batches).toHaveLength(1)
      const next = yield* submit("c")
      yield* begun(2)
      yield* letGo(1)
      expect(yield* Fiber.join(next)).toBe("did c")
    })
  )

  it.scoped("refuses items beyond its capacity", () =>
    Effect.gen(function* () {
      const { begun, coalescer, letGo, submit } = yield* gated({ capacity: 1 })
      const first = yield* submit("a")
      yield* begun(1)
      const second = yield* submit("b")
      yield* settleDown
      expect(yield* Effect.flip(coalescer.submit({ of: "one", name: "c" }))).toBeInstanceOf(StorageBusy)
      yield* letGo(0)
      yield* begun(2)
      yield* letGo(1)
      expect(yield* Fiber.join(first)).toBe("did a")
      expect(yield* Fiber.join(second)).toBe("did b")
    })
  )

  it.scoped("removes the item of a caller that is interrupted while queued", () =>
    Effect.gen(function* () {
      const { batches, begun, letGo, submit } = yield* gated()
      yield* submit("a")
      yield* begun(1)
      const gone = yield* submit("b")
      const stays = yield* submit("c")
      yield* settleDown
      yield* Fiber.interrupt(gone)
      yield* letGo(0)
      yield* begun(2)
      yield* letGo(1)
      yield* Fiber.join(stays)
      expect(batches.map(({ items }) => items)).toEqual([["a"], ["c"]])
    })
  )

  it.scoped("lets a caller that is interrupted while its batch runs wait for the end of the batch", () =>
    Effect.gen(function* () {
      const { begun, letGo, submit } = yield* gated()
      const caller = yield* submit("a")
      yield* begun(1)
      const interruption = yield* Effect.fork(Fiber.interrupt(caller))
      yield* settleDown
      expect(interruption.unsafePoll()).toBeNull()
      yield* letGo(0)
      expect(Exit.isInterrupted(yield* Fiber.join(interruption))).toBe(true)
    })
  )

  it.scoped("lets a caller that is interrupted with its answer leave at once", () =>
    Effect.gen(function* () {
      const { begun, coalescer, letGo } = yield* gated()
      const item = { of: "one", name: "a" }
      let second: Fiber.RuntimeFiber<string, unknown> | undefined
      const first = yield* Effect.fork(
        Effect.andThen(coalescer.submit(item), () => Fiber.interrupt(second as Fiber.RuntimeFiber<string, unknown>))
      )
      second = yield* Effect.fork(coalescer.submit(item))
      yield* begun(1)
      yield* letGo(0)
      expect(Exit.isExit(yield* Fiber.join(first))).toBe(true)
    })
  )

  it.effect("lets a caller that is interrupted while it closes leave at once", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { batches, submit } = yield* Scope.extend(gated(), scope)
      const queued = yield* submit("a")
      yield* Effect.yieldNow()
      yield* Scope.close(scope, Exit.void)
      yield* Fiber.interrupt(queued)
      yield* settleDown
      expect(batches).toEqual([])
    })
  )

  it.scoped("lets interrupted callers leave at once if it abandons them, and carries their items out", () =>
    Effect.gen(function* () {
      const { batches, begun, letGo, submit } = yield* gated({ abandons: true })
      const running = yield* submit("a")
      yield* begun(1)
      const queued = yield* submit("b")
      const stays = yield* submit("c")
      yield* settleDown
      yield* Fiber.interruptAll([running, queued])
      yield* letGo(0)
      yield* begun(2)
      yield* letGo(1)
      expect(yield* Fiber.join(stays)).toBe("did c")
      expect(batches.map(({ items }) => items)).toEqual([["a"], ["b", "c"]])
    })
  )

  it.effect("closes after the last of its running batches", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { begun, letGo, submit } = yield* Scope.extend(gated({ concurrency: 2 }), scope)
      const fibers = [yield* submit("a"), yield* submit("b")]
      yield* begun(2)
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* settleDown
      yield* letGo(0)
      yield* settleDown
      expect(closing.unsafePoll()).toBeNull()
      yield* letGo(1)
      yield* Fiber.join(closing)
      expect(yield* Effect.forEach(fibers, Fiber.join)).toEqual(["did a", "did b"])
    })
  )

  it.effect("finishes running batches when it closes, and refuses queued items", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { begun, coalescer, letGo, submit } = yield* Scope.extend(gated(), scope)
      const first = yield* submit("a")
      yield* begun(1)
      const queued = yield* submit("b")
      yield* settleDown
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      expect(yield* Effect.flip(Fiber.join(queued))).toBeInstanceOf(StorageUnavailable)
      expect(closing.unsafePoll()).toBeNull()
      yield* letGo(0)
      yield* Fiber.join(closing)
      expect(yield* Fiber.join(first)).toBe("did a")
      expect(yield* Effect.flip(coalescer.submit({ of: "one", name: "c" }))).toBeInstanceOf(StorageUnavailable)
    })
  )

  it.scoped("fails every item of a batch with the batch's defect, and continues", () =>
    Effect.gen(function* () {
      let broken = true
      const { coalescer } = yield* gated({
        run: (items) =>
          broken ? Effect.die("broken") : Effect.succeed(items.map(({ name }) => Effect.succeed(`did ${name}`)))
      })
      const exits = yield* Effect.all(
        ["a", "b"].map((name) => Effect.exit(coalescer.submit({ of: "one", name }))),
        { concurrency: "unbounded" }
      )
      expect(exits).toEqual([Exit.die("broken"), Exit.die("broken")])
      broken = false
      expect(yield* coalescer.submit({ of: "one", name: "c" })).toBe("did c")
    })
  )

  it.scoped("fails only the caller whose item failed in its batch", () =>
    Effect.gen(function* () {
      const { submit } = yield* Coalescer.make<string, string, string>({
        run: (items) =>
          Effect.succeed(
            items.map((name) => (name === "b" ? Effect.fail(`not ${name}`) : Effect.succeed(`did ${name}`)))
          ),
        concurrency: 1,
        maxBatch: 100,
        maxWeight: 1_000,
        weigh: () => 1,
        capacity: 100,
        partition: () => "one"
      })
      const exits = yield* Effect.forEach(["a", "b", "c"], (name) => Effect.exit(submit(name)), {
        concurrency: "unbounded"
      })
      expect(exits).toEqual([Exit.succeed("did a"), Exit.fail("not b"), Exit.succeed("did c")])
    })
  )

  it("answers every item once with its own result, for any order and limits", () =>
    FastCheck.assert(
      FastCheck.asyncProperty(
        FastCheck.array(FastCheck.tuple(FastCheck.constantFrom("a", "b", "c"), FastCheck.nat(20)), { maxLength: 60 }),
        FastCheck.integer({ min: 1, max: 3 }),
        FastCheck.integer({ min: 1, max: 7 }),
        FastCheck.option(FastCheck.integer({ min: 1, max: 4 }), { nil: undefined }),
        (items, concurrency, maxBatch, share) =>
          Effect.gen(function* () {
            const ran: Array<number> = []
            const { submit } = yield* Coalescer.make<readonly [string, number, number], number, never>({
              run: (batch) =>
                Effect.as(
                  Effect.yieldNow(),
                  batch.map(([, , index]) => {
                    ran.push(index)
                    return Effect.succeed(index)
                  })
                ),
              concurrency,
              maxBatch,
              maxWeight: 40,
              weigh: ([, weight]) => weight,
              capacity: 100,
              partition: ([of]) => of,
              ...(share === undefined ? {} : { share: { running: share, queued: 100 } })
            })
            const answers = yield* Effect.forEach(items, ([of, weight], index) => submit([of, weight, index]), {
              concurrency: "unbounded"
            })
            expect(answers).toEqual(items.map((_, index) => index))
            expect(ran.sort((one, other) => one - other)).toEqual(answers)
          }).pipe(Effect.scoped, Effect.runPromise)
      )
    ))

  it.scoped("runs the batches of a shared statement one after another, of 500 items at most", () =>
    Effect.gen(function* () {
      const sizes: Array<number> = []
      let running = 0
      const submit = yield* Coalescer.makeSerial<number, number, never>((batch) =>
        Effect.gen(function* () {
          sizes.push(batch.length)
          expect(++running).toBe(1)
          yield* settleDown
          running--
          return batch.map((n) => n * 2)
        })
      )
      const items = Array.from({ length: 501 }, (_, n) => n)
      const answers = yield* Effect.forEach(items, submit, { concurrency: "unbounded" })
      expect(answers).toEqual(items.map((n) => n * 2))
      expect(sizes).toEqual([500, 1])
    })
  )
})
