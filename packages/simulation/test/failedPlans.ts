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
 * An administrator erases the contact of a message, and its host crashes 40 ms later, during the job that deletes the
 * messages.
 */
const crashInErasure: Plan = {
  seed: 704_288,
  processes: 1,
  quietAt: 2_000,
  restarts: true,
  steps: [
    { at: 0, action: send },
    { at: 1_000, action: { type: "erase", nth: 0 } },
    { at: 1_040, disturbance: { type: "crash", process: 0, port: null, when: "before" } }
  ]
}

/** A customer writes shortly before the look that finds no work for the third time. */
const writeAtTheEnd: Plan = {
  seed: 8,
  processes: 1,
  quietAt: 2_000,
  restarts: true,
  steps: [
    {
      at: 9_073,
      action: { type: "write", connectionId: "01900000-0000-7000-8300-000000000025", from: send.to, text: "hello" }
    }
  ]
}

/** All hints are lost, and the job of a wait becomes due shortly after a poll. */
const unhintedWait: Plan = {
  seed: 213_827,
  processes: 1,
  quietAt: 90_000,
  restarts: true,
  steps: [
    { at: 100, action: { type: "publish-workflow", workspaceId: "01900000-0000-7000-8100-000000000002", wait: "1s" } },
    {
      at: 300,
      action: { type: "write", connectionId: "01900000-0000-7000-8300-000000000024", from: send.to, text: "START" }
    },
    { at: 600, action: { ...send, application: "application 2.2" } },
    { at: 1_000, disturbance: { type: "hints", lost: 1, doubled: 0, late: 0 } },
    { at: 62_040, action: { type: "order", application: "application 2.2", order: 1, nth: 0 } }
  ]
}

/** All processes stall for longer than a lease, shortly after a message was read for its hand-over. */
const stallBeforeHandOver: Plan = {
  seed: 501_125,
  processes: 2,
  quietAt: 3_000,
  restarts: false,
  steps: [
    {
      at: 152,
      action: {
        ...send,
        application: "application 2.1",
        to: "+491700000002",
        text: "thank you",
        files: [{ upload: "file 3" }, { upload: "file 3" }]
      }
    },
    { at: 261, disturbance: { type: "stop", process: 1 } },
    {
      at: 264,
      action: { ...send, application: "application 2.1", channel: "telegram", key: "key-4", reference: "reference 2" }
    },
    { at: 308, disturbance: { type: "stall-all", ms: 40_000 } }
  ]
}

const notes = {
  application: { id: "01900000-0000-7000-8200-000000000021", name: "application 2.1" },
  name: "notes",
  events: ["message.received"],
  fromBegin: false,
  concurrency: 16,
  ordered: false,
  workspaceId: null
} as const

/** The database is away when the function of a subscription ends, and back when the failure of its job is recorded. */
const unrecordedAttempt: Plan = {
  seed: 759_688,
  processes: 1,
  quietAt: 30_000,
  restarts: false,
  steps: [
    { at: 0, action: { type: "subscribe", host: 0, subscription: notes } },
    { at: 100, disturbance: { type: "receiver", url: "subscription:notes of application 2.1", mood: "slow" } },
    {
      at: 300,
      action: { type: "write", connectionId: "01900000-0000-7000-8300-000000000024", from: send.to, text: "hello" }
    },
    { at: 5_000, disturbance: { type: "slow", ms: 500 } },
    { at: 9_300, disturbance: { type: "storage-away", ms: 600 } }
  ]
}

/** A host stops a subscription while it is stored in a slow database, and subscribes again before that ends. */
const subscribesAgain: Plan = {
  seed: 771_813,
  processes: 1,
  quietAt: 30_000,
  restarts: false,
  steps: [
    { at: 0, disturbance: { type: "slow", ms: 3_000 } },
    { at: 100, action: { type: "subscribe", host: 0, subscription: notes } },
    { at: 150, action: { type: "unsubscribe", host: 0, subscription: notes } },
    { at: 200, disturbance: { type: "slow", ms: 0 } },
    { at: 300, action: { type: "subscribe", host: 0, subscription: notes } },
    {
      at: 20_000,
      action: { type: "write", connectionId: "01900000-0000-7000-8300-000000000024", from: send.to, text: "hello" }
    }
  ]
}

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
  },
  {
    found: "the simulation stopped all hosts while a lease of an erasure had not ended",
    plan: crashInErasure
  },
  {
    found: "the simulation stopped all hosts in the middle of a request, whose webhooks then went out twice",
    plan: writeAtTheEnd
  },
  {
    found: "a process that had stalled handed over a message that another process had handed over meanwhile",
    plan: stallBeforeHandOver
  },
  { found: "a wait ended 23 ms later than the promised second", plan: unhintedWait },
  {
    found: "an attempt at a subscription that could not be recorded was made again with its number",
    plan: unrecordedAttempt
  },
  { found: "a process that had subscribed again while the first time was stored got no events", plan: subscribesAgain }
]
