import { setMaxListeners } from "node:events"
import { attacks } from "../soak/attacks/attacks.js"
import { hangingReceivers } from "../soak/attacks/hangingEndpoints.js"
import { type AttackName, attackNames } from "../soak/attacks/names.js"
import { answerOrders } from "./answerOrders.js"

/** Starts attacks, or ends them and asks for their results. */
export type AttackersOrder = { readonly origin: string; readonly attacks: ReadonlyArray<AttackName> } | "stop"

/** How often each attack had each result; null while they run. */
export type AttackersAnswer = { readonly [attack: string]: { readonly [result: string]: number } } | null

/** 127.0.0.1 is the victims' address. */
const addressOf = (name: AttackName): string => `127.0.0.${attackNames.indexOf(name) + 2}`

let stop = new AbortController()
let running: ReadonlyArray<Promise<unknown>> = []
let results: Record<string, Record<string, number>> = {}

const start = (origin: string, name: AttackName): Promise<unknown> => {
  const counts: Record<string, number> = {}
  results[name] = counts
  const count = (result: string) => {
    counts[result] = (counts[result] ?? 0) + 1
  }
  return attacks[name]({ origin, address: addressOf(name), stop: stop.signal, count })
}

answerOrders<AttackersOrder>(
  async (order): Promise<AttackersAnswer> => {
    if (order === "stop") {
      stop.abort()
      await Promise.all(running)
      return results
    }
    stop = new AbortController()
    // Each connection that is held has one.
    setMaxListeners(0, stop.signal)
    results = {}
    running = order.attacks.map((name) => start(order.origin, name))
    return null
  },
  await hangingReceivers()
)
