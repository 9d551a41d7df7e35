import { Effect, Exit, Fiber } from "effect"
import { expect, it } from "vitest"
import {
  type FairStarts,
  makeFairStarts,
  maxWaiting,
  otherStartsPerTurn,
  startsPerTurn
} from "../src/server/fairStarts.js"

/** Turns of an event loop that happen when the test says so. */
const manualTurns = () => {
  let deferred: Array<() => void> = []
  return {
    defer: (task: () => void) => {
      deferred.push(task)
      return () => {}
    },
    turn: async () => {
      const tasks = deferred
      deferred = []
      for (const task of tasks) task()
      // Resumed fibers run in microtasks.
      for (let n = 0; n < 10; n++) await Promise.resolve()
    },
    isIdle: () => deferred.length === 0
  }
}

const flood =
  (starts: FairStarts, started: Array<string>, isVerified: boolean) =>
  (network: string, count: number, share?: number) => {
    const fibers: Array<Fiber.RuntimeFiber<unknown, unknown>> = []
    for (let n = 1; n <= count; n++) {
      const start = Effect.sync(() => started.push(`${network}${n}`))
      fibers.push(Effect.runFork(Effect.zipRight(starts.waitFor({ network, isVerified }, share), start)))
    }
    return fibers
  }

const prepare = () => {
  const turns = manualTurns()
  const started: Array<string> = []
  const starts = makeFairStarts(turns)
  return { ...turns, started, flood: flood(starts, started, true), floodUnverified: flood(starts, started, false) }
}

it("starts requests at once while a turn has capacity", () => {
  const { flood, started } = prepare()
  flood("a", startsPerTurn)
  expect(started).toHaveLength(startsPerTurn)
})

it("starts the others in later turns, each in its order", async () => {
  const { flood, isIdle, started, turn } = prepare()
  flood("a", startsPerTurn * 2 + 1)
  const counts = [started.length]
  while (!isIdle()) {
    await turn()
    counts.push(started.length)
  }
  expect(counts).toEqual([startsPerTurn, startsPerTurn * 2, startsPerTurn * 2 + 1, startsPerTurn * 2 + 1])
  expect(started).toEqual(Array.from({ length: startsPerTurn * 2 + 1 }, (_, n) => `a${n + 1}`))
})

it("starts a client with one request before the rest of a flood", async () => {
  const { flood, started, turn } = prepare()
  flood("attacker", 1_000)
  flood("other attacker", 1_000)
  flood("victim", 1)
  await turn()
  expect(started).toHaveLength(startsPerTurn * 2)
  expect(started).toContain("victim1")
})

it("refuses more waiting requests of one client than its limit, and takes those of others", async () => {
  const { flood, started, turn } = prepare()
  const refused = flood("a", startsPerTurn + maxWaiting.client + 1).at(-1)
  const exit = await Effect.runPromise(Fiber.await(refused as Fiber.RuntimeFiber<unknown, unknown>))
  expect(exit).toMatchObject({ _tag: "Failure", cause: { error: { code: "service_unavailable" } } })
  flood("b", 1)
  await turn()
  expect(started).toContain("b1")
})

it("refuses more waiting requests in total than its limit, until some have started", async () => {
  const { flood, started, turn } = prepare()
  flood("first ", startsPerTurn)
  for (let n = 0; n < maxWaiting.total / maxWaiting.client; n++) flood(`client ${n} `, maxWaiting.client)
  const [refused] = flood("refused ", 1)
  expect(Exit.isFailure(await Effect.runPromise(Fiber.await(refused as Fiber.RuntimeFiber<unknown, unknown>)))).toBe(
    true
  )
  await turn()
  flood("b", 1)
  await turn()
  expect(started).toContain("b1")
})

it("has room again once a turn is over", async () => {
  const { flood, started, turn } = prepare()
  flood("a", startsPerTurn)
  await turn()
  flood("b", 1)
  expect(started.at(-1)).toBe("b1")
})

it("gives work that counts as all starts a turn of its own", async () => {
  const { flood, started, turn } = prepare()
  flood("large", 3, startsPerTurn)
  expect(started).toEqual(["large1"])
  await turn()
  expect(started).toEqual(["large1", "large2"])
  flood("small", 2)
  await turn()
  expect(started).toEqual(["large1", "large2", "large3"])
  await turn()
  expect(started).toEqual(["large1", "large2", "large3", "small1", "small2"])
})

it("forgets requests whose clients have left", async () => {
  const { flood, started, turn } = prepare()
  flood("a", startsPerTurn)
  const leaving = Array.from({ length: startsPerTurn }, (_, n) => flood(`leaving ${n} `, 1)).flat()
  flood("b", 1)
  const exits = await Effect.runPromise(Effect.forEach(leaving, (fiber) => Fiber.interrupt(fiber)))
  expect(exits.every(Exit.isInterrupted)).toBe(true)
  await turn()
  expect(started.slice(startsPerTurn)).toEqual(["b1"])
})

it("starts few requests of clients that are not verified in a turn, taking them in turn", async () => {
  const { floodUnverified, isIdle, started, turn } = prepare()
  floodUnverified("attacker", 100)
  floodUnverified("visitor", 1)
  expect(started).toHaveLength(otherStartsPerTurn)
  await turn()
  expect(started).toHaveLength(otherStartsPerTurn * 2)
  expect(started).toContain("visitor1")
  while (!isIdle()) await turn()
  expect(started).toHaveLength(101)
})

it("starts requests of verified clients at once, however many others wait", async () => {
  const { flood, floodUnverified, started, turn } = prepare()
  floodUnverified("attacker", 100)
  flood("application", startsPerTurn + 1)
  expect(started.filter((one) => one.startsWith("application"))).toHaveLength(startsPerTurn)
  await turn()
  expect(started).toContain(`application${startsPerTurn + 1}`)
})

it("lets requests of verified clients wait, however many others do", async () => {
  const { flood, floodUnverified, started, turn } = prepare()
  for (let n = 0; n <= maxWaiting.total / maxWaiting.client; n++) floodUnverified(`attacker ${n} `, maxWaiting.client)
  flood("application", startsPerTurn + 1)
  await turn()
  expect(started).toContain(`application${startsPerTurn + 1}`)
})
