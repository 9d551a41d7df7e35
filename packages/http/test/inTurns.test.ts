import { EventLoop } from "@parley/core"
import { Effect } from "effect"
import { expect, it } from "vitest"
import { inTurns, perTurn } from "../src/server/inTurns.js"

const loop = Effect.runSync(EventLoop)
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

it("runs tasks in their order, a few in each turn of the event loop", async () => {
  const run = inTurns(loop)
  const done: Array<number> = []
  const count = perTurn * 3 + 1
  for (let n = 0; n < count; n += 1) run(() => done.push(n))
  const turns: Array<number> = [done.length]
  while (done.length < count) {
    await turn()
    turns.push(done.length)
  }
  expect(turns).toEqual([0, perTurn, perTurn * 2, perTurn * 3, count])
  expect(done).toEqual(Array.from({ length: count }, (_, n) => n))
})

it("runs tasks that come while it runs, and those that come later", async () => {
  const run = inTurns(loop)
  const done: Array<string> = []
  run(() => {
    done.push("one")
    run(() => done.push("two"))
  })
  await turn()
  await turn()
  expect(done).toEqual(["one", "two"])
  run(() => done.push("three"))
  await turn()
  expect(done).toEqual(["one", "two", "three"])
})
