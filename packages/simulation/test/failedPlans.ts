import type { Plan } from "../src/run/Plan.js"
import { goodMood } from "../src/run/Vendor.js"

const send = {
  type: "send",
  application: "application 1.1",
  channel: "whatsapp",
  to: "+491700000001",
  key: "key-1",
  text: "hello",
  reference: null
} as const

/**
 * Plans of histories that broke a promise, with what was wrong. Plans, because a change of the workload makes other
 * histories of a seed.
 */
export const failedPlans: ReadonlyArray<{ readonly found: string; readonly plan: Plan }> = [
  {
    found: "a rejection whose commit got no answer was answered 202, with its key free again",
    plan: {
      seed: 1,
      processes: 1,
      quietAt: 5_000,
      restarts: true,
      steps: [
        { at: 0, disturbance: { type: "vendor", mood: { ...goodMood, rejects: 1 } } },
        { at: 100, action: send },
        { at: 320, disturbance: { type: "lose-commit", process: 0, applied: true } },
        { at: 2_000, disturbance: { type: "vendor", mood: goodMood } },
        { at: 3_000, action: send }
      ]
    }
  }
]
