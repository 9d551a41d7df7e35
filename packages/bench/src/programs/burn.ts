import { setTimeout as sleep } from "node:timers/promises"
import { answerOrders } from "./answerOrders.js"

/** The share of one core to use from now on, from 0 to 1. */
export type BurnOrder = number

/** Duration of one turn, so that orders are read in between. */
const turnMs = 10
let share = 0
let start = performance.now()
let cpu = process.cpuUsage()

/** Whether less CPU was used since the order than its share of the time. */
const isBehind = (): boolean => {
  const { system, user } = process.cpuUsage(cpu)
  return (user + system) / 1_000 < share * (performance.now() - start)
}

const burn = async (): Promise<never> => {
  for (;;) {
    const end = performance.now() + turnMs
    while (performance.now() < end && isBehind());
    await sleep(isBehind() ? 0 : turnMs)
  }
}

answerOrders<BurnOrder>(async (order) => {
  share = order
  start = performance.now()
  cpu = process.cpuUsage()
})
await burn()
