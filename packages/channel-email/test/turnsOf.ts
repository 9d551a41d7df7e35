import { setImmediate } from "node:timers"

/** Runs something; returns how many turns of the event loop passed meanwhile, in which other requests are served. */
export const turnsOf = async (run: () => Promise<unknown>): Promise<number> => {
  let turns = 0
  let next = setImmediate(function turn() {
    turns++
    next = setImmediate(turn)
  })
  await run()
  clearImmediate(next)
  return turns
}
