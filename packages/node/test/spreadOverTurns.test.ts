import { describe, expect, it } from "vitest"
import { spreadOverTurns } from "../src/spreadOverTurns.js"

/** Turns of an event loop, run by hand. */
const turns = () => {
  let next: Array<() => void> = []
  return {
    defer: (task: () => void) => {
      next.push(task)
      return () => {}
    },
    run: () => {
      const now = next
      next = []
      for (const task of now) task()
      return now.length
    }
  }
}

describe("tasks that are spread over turns", () => {
  it("run in order, as many in a turn as allowed", () => {
    const { defer, run } = turns()
    const spread = spreadOverTurns(defer, 2)
    const done: Array<number> = []
    for (const n of [1, 2, 3, 4, 5]) spread(() => void done.push(n))
    expect(done).toEqual([])
    run()
    expect(done).toEqual([1, 2])
    run()
    expect(done).toEqual([1, 2, 3, 4])
    run()
    expect(done).toEqual([1, 2, 3, 4, 5])
    expect(run()).toBe(0)
  })
  it("may add others, which wait for their turn", () => {
    const { defer, run } = turns()
    const spread = spreadOverTurns(defer, 2)
    const done: Array<string> = []
    spread(() => {
      done.push("first")
      spread(() => void done.push("added"))
    })
    run()
    expect(done).toEqual(["first"])
    run()
    expect(done).toEqual(["first", "added"])
    expect(run()).toBe(0)
  })
})
