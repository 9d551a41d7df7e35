import type { EventLoopService } from "@parley/core"

/**
 * Returns a function that defers tasks to later turns of the event loop: they run in order, at most `perTurn` in each
 * turn, so that a burst of them does not keep the process from everything else.
 */
export const spreadOverTurns = (defer: EventLoopService["defer"], perTurn: number): ((task: () => void) => void) => {
  let waiting: Array<() => void> = []
  const run = () => {
    const now = waiting.slice(0, perTurn)
    waiting = waiting.slice(perTurn)
    if (waiting.length > 0) defer(run)
    for (const task of now) task()
  }
  return (task) => {
    if (waiting.push(task) === 1) defer(run)
  }
}
