import { expect, it } from "vitest"
import { makeHeartbeatTimer, slotMs } from "../src/HeartbeatTimer.js"

const silent = { beat: () => null }

it("calls a heartbeat when it is due, until it is removed", () => {
  const timer = makeHeartbeatTimer()
  const beats: Array<number> = []
  const heartbeat = {
    beat: (now: number) => {
      beats.push(now)
      return now + 2 * slotMs
    }
  }
  timer.add(heartbeat, slotMs)
  for (let second = 1; second <= 4; second++) timer.advance(second * slotMs)
  expect(beats).toEqual([slotMs, 3 * slotMs])
  timer.remove(heartbeat)
  timer.advance(9 * slotMs)
  expect([beats.length, timer.size()]).toEqual([2, 0])
})

it("keeps nothing of visits that ended", () => {
  const timer = makeHeartbeatTimer()
  for (let second = 0; second < 1_000; second++) {
    const heartbeat = { ...silent }
    timer.advance(second * slotMs)
    timer.add(heartbeat, (second + 25) * slotMs)
    timer.remove(heartbeat)
  }
  expect([timer.size(), timer.slots()]).toEqual([0, 0])
})
