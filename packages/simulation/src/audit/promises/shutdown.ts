import type { History } from "../History.js"
import { isUndisturbed } from "../History.js"
import { settling } from "../tolerances.js"
import type { Violation } from "../Violation.js"

/**
 * A process that shuts down ends in time (docs/reference/queue.md#shutdown): one that had to be killed was kept by a
 * fault, or by a vendor or a receiver that did not answer.
 *
 * Not checked: processes that crash or end by themselves before; shutdowns within a minute after a fault.
 */
export function* shutdown(history: History): Iterable<Violation> {
  const { attempts, faults, handOvers } = history
  for (const { entry, fault } of faults) {
    const name = fault.killed
    if (name === undefined) continue
    const stop = faults.find((period) => period.fault.stops === name)
    if (stop === undefined) continue
    const others = faults.filter((period) => period !== stop && period.entry !== entry)
    if (!isUndisturbed({ ...history, faults: others }, stop.fault.at - settling, fault.at)) continue
    const waits =
      handOvers.some((one) => one.handOver.process === name && one.verdictEntry > stop.entry) ||
      attempts.some((one) => one.attempt.process === name && one.answerEntry > stop.entry)
    if (waits) continue
    yield {
      promise: "shutdown-ends-in-time",
      at: fault.at,
      text: `${name} had to be killed ${fault.at - stop.fault.at} ms after the begin of its shutdown, and had nothing to wait for.`,
      entries: [stop.entry, entry]
    }
  }
}
