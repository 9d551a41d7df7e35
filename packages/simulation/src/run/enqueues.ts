import type { Chance } from "./Chance.js"
import type { PlannedSend, Step } from "./Step.js"

interface Setting {
  readonly applications: ReadonlyArray<string>
  readonly channels: ReadonlyArray<string>
  readonly people: ReadonlyArray<string>
  readonly durationMs: number
}

const probability = 0.4
const maxCount = 5
/** How long transactions stay open, in ms. Beyond 3 s, claims no longer begin at the due times of their requests. */
const openMs = [0, 0, 200, 2_000, 6_000, 15_000] as const

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
  return Array.from({ length: count }, (): Step => {
    const at = chance.between(0, durationMs)
    return {
      at,
      action: {
        type: "enqueue",
        send: sends.length > 0 && chance.happens(0.25) ? chance.pick(sends) : newSend(),
        process: chance.between(0, 2),
        openMs: Math.min(chance.pick(openMs), durationMs - at),
        commits: chance.happens(0.75)
      }
    }
  })
}
