import type { EventLoopService } from "@parley/core"

/** Number of tasks in one turn of the event loop. */
export const perTurn = 16

/**
 * Runs tasks in their order soon, a few in each turn of the event loop: thousands of connections may close at once, and
 * requests must not wait for all of them.
 */
export const inTurns = ({ defer }: Pick<EventLoopService, "defer">): ((task: () => void) => void) => {
  let tasks: Array<() => void> = []
  let next = 0
  const turn = () => {
    const end = Math.min(next + perTurn, tasks.length)
    while (next < end) tasks[next++]?.()
    if (next < tasks.length) return void defer(turn)
    tasks = []
    next = 0
  }
  return (task) => {
    tasks.push(task)
    if (tasks.length === 1) defer(turn)
  }
}
