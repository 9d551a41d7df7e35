import type { Chance } from "./Chance.js"
import type { Action, PlannedSend, Step } from "./Step.js"

type Enqueue = Extract<Action, { readonly type: "enqueue" }>

interface Setting {
  readonly applications: ReadonlyArray<string>
  readonly channels: ReadonlyArray<string>
  readonly people: ReadonlyArray<string>
  readonly durationMs: number
}

const probability = 0.4
/** In a history with workflows, which few have. */
const ordersProbability = 0.8
const maxCount = 5
/** How long transactions stay open, in ms. Beyond 3 s, claims no longer begin at the due times of their requests. */
const openMs = [0, 0, 200, 2_000, 6_000, 15_000] as const

/** The number of the first order that only transactions send. */
const firstOrder = 100

/** A transaction with this request, a quarter of which are rolled back. */
const stepOf = (chance: Chance, durationMs: number, request: Enqueue["request"]): Step => {
  const at = chance.between(0, durationMs)
  return {
    at,
    action: {
      type: "enqueue",
      request,
      process: chance.between(0, 2),
      openMs: Math.min(chance.pick(openMs), durationMs - at),
      commits: chance.happens(0.75)
    }
  }
}

/** In most histories with workflows, applications send business events in transactions, some orders by requests too. */
export const enqueuedOrdersOf = (
  chance: Chance,
  { applications, durationMs }: Pick<Setting, "applications" | "durationMs">
): ReadonlyArray<Step> => {
  const count = chance.happens(ordersProbability) ? chance.between(1, maxCount) : 0
  return Array.from({ length: count }, (_, index) =>
    stepOf(chance, durationMs, {
      type: "order",
      application: chance.pick(applications),
      order: chance.happens(0.3) ? chance.between(1, 5) : firstOrder + chance.between(0, index),
      nth: chance.between(0, 5),
      key: chance.happens(0.8) ? `enqueued-order-${chance.between(1, 4)}` : `enqueued-${chance.between(1, 4)}`
    })
  )
}

/** In some histories, applications write messages in transactions of their own, and roll some of them back. */
export const enqueuesOf = (
  chance: Chance,
  { applications, channels, durationMs, people }: Setting
): ReadonlyArray<Step> => {
  const count = chance.happens(probability) ? chance.between(1, maxCount) : 0
  const sends: Array<PlannedSend> = []
  const newSend = (): PlannedSend => {
    const send: PlannedSend = {
      type: "send",
      application: chance.pick(applications),
      channel: chance.pick(channels),
      to: chance.pick(people),
      // Some keys are those of requests too.
      key: chance.happens(0.7) ? `enqueued-${chance.between(1, 4)}` : `key-${chance.between(1, 3)}`,
      text: "hello",
      reference: `enqueued ${sends.length}`
    }
    sends.push(send)
    return send
  }
  return Array.from({ length: count }, () =>
    stepOf(chance, durationMs, sends.length > 0 && chance.happens(0.25) ? chance.pick(sends) : newSend())
  )
}
