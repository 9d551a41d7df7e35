import type { Storage } from "@parley/core"
import type { Chance } from "./Chance.js"
import { enqueuedOrdersOf, enqueuesOf } from "./enqueues.js"
import { episodeOf } from "./episodes.js"
import { type HintFaults, noHintFaults } from "./Faults.js"
import { dialoguesOf } from "./plannedDialogues.js"
import { filesUrl, type ReceiverMood } from "./Receivers.js"
import type { Action, Disturbance, PlannedFile, Step } from "./Step.js"
import { subscriptionsOf } from "./subscriptions.js"
import { apiKeys, worldAt } from "./tenants.js"
import { goodMood, type VendorMood } from "./Vendor.js"

/** A history before it happens. Steps can be left out, to find the smallest plan that fails. */
export interface Plan {
  readonly seed: number
  readonly processes: number
  readonly steps: ReadonlyArray<Step>
  /** When the faults end, in ms after the start. */
  readonly quietAt: number
  /** Whether new processes work from then on, with right clocks. Else those work on that are there. */
  readonly restarts: boolean
}

/** The longest stall, in ms. */
const maxStallMs = 40_000

const texts = ["hello", "order 17 is ready", "thank you", "x".repeat(1_000)] as const
const moods: ReadonlyArray<ReceiverMood> = ["works", "works", "fails", "hangs", "breaks", "loses", "slow", "refuses"]
/** Numbers to which administrators change those of contacts; some belong to other customers. */
const numbers = ["+491700000001", "+491700000002", "+491700000007", "+491700000008"] as const
const waits = ["1s", "10s", "2m"] as const
const customers = ["+491700000001", "+491700000002", "+491700000003"] as const

/** The kinds that happen at any time. */
type DisturbanceType = Exclude<Disturbance["type"], "stall-at" | "suspend" | "fail-calls">
const disturbances: ReadonlyArray<DisturbanceType> = [
  "crash",
  "crash",
  "stop",
  "stall",
  "stall-all",
  "step-clock",
  "drift",
  "storage-away",
  "lose-commit",
  "slow",
  "power-cut",
  "hints",
  "vendor",
  "vendor",
  "receiver"
]

const hintFaults: ReadonlyArray<HintFaults> = [
  noHintFaults,
  { lost: 1, doubled: 0, late: 0 },
  { lost: 0, doubled: 0, late: 1 },
  { lost: 0.3, doubled: 0.3, late: 0.3 }
]

/** Kinds that keep no process from its work: the audit excuses little beside them. */
const outsideDisturbances: ReadonlyArray<DisturbanceType> = ["vendor", "receiver"]

/** Methods of the storage whose calls fail: those of jobs that run, of the queue, and of requests. */
const failingCalls: ReadonlyArray<keyof Storage> = [
  "read",
  "read",
  "read",
  "read",
  "readAndTakeToken",
  "commit",
  "commit",
  "commit",
  "list",
  "reserveSlot",
  "beginAttempt",
  "claimJobs",
  "renewLeases"
]
const probabilityOfFailingCalls = 0.5

/** Calls to the storage that fail one by one: the job or the request of each fails, and what follows works. */
const failedCallsOf = (chance: Chance, processes: number, untilMs: number): ReadonlyArray<Step> =>
  chance.happens(probabilityOfFailingCalls)
    ? Array.from({ length: chance.between(4, 20) }, () => ({
        at: chance.between(0, untilMs),
        disturbance: {
          type: "fail-calls",
          process: chance.between(0, processes - 1),
          call: chance.pick(failingCalls),
          count: chance.between(1, 3)
        }
      }))
    : []

/** How much happens in a history, as ranges and choices. */
interface Size {
  readonly durationMs: readonly [number, ...ReadonlyArray<number>]
  readonly actions: readonly [number, number]
  readonly disturbances: readonly [number, number]
  readonly processes: readonly [number, ...ReadonlyArray<number>]
  /** Different idempotency keys. */
  readonly keys: readonly [number, number]
  readonly maxPeople: number
  readonly maxApplications: number
}

/** Few people, keys and applications, so that the few actions collide. */
const short: Size = {
  durationMs: [2_000, 5_000, 20_000, 60_000],
  actions: [10, 18],
  disturbances: [13, 17],
  processes: [1, 2, 2],
  keys: [2, 6],
  maxPeople: 2,
  maxApplications: 2
}
const long: Size = {
  durationMs: [5_000, 20_000, 60_000, 240_000],
  actions: [50, 90],
  disturbances: [13, 22],
  processes: [1, 2, 2, 2, 3],
  keys: [3, 40],
  maxPeople: customers.length,
  maxApplications: apiKeys.size
}
const probabilityOfLong = 0.1

/** Plans a history: a short one or a long one, with disturbances of a random selection of kinds. */
export const planOf = (seed: number, chance: Chance): Plan => {
  const { applications, connections, endpoints } = worldAt(0)
  const size = chance.happens(probabilityOfLong) ? long : short
  const durationMs = chance.pick(size.durationMs)
  // After the faults end early, or beside vendors and receivers only, the audit excuses little.
  const disturbedMs = chance.pick([durationMs, durationMs, durationMs, durationMs / 4])
  const processes = chance.pick(size.processes)
  const mayBeCalm = chance.happens(0.1)
  const allNames = [...apiKeys.keys()]
  const firstName = chance.between(0, allNames.length - 1)
  const names = [...allNames, ...allNames].slice(firstName, firstName + chance.between(1, size.maxApplications))
  const channels = chance.happens(0.3) ? ["whatsapp"] : ["whatsapp", "telegram"]
  const people = customers.slice(0, chance.between(1, size.maxPeople))
  const keys = chance.between(...size.keys)
  const callers = applications.filter(({ name }) => names.includes(name))
  const workspaces = new Set(callers.map(({ workspaceId }) => workspaceId))
  const used = connections.filter(
    (one) => workspaces.has(one.workspaceId) && callers.some(({ connectionIds }) => connectionIds.includes(one.id))
  )

  // Of those that may get events.
  const receivers = endpoints.filter((one) =>
    applications.some(({ id, workspaceId }) => id === one.applicationId && workspaces.has(workspaceId))
  )

  // With chances of their own, so that they change nothing else in the history of a seed.
  const neighbours = applications.filter(({ workspaceId }) => workspaces.has(workspaceId))
  const subscribed = subscriptionsOf(chance.fork("subscriptions"), { applications: neighbours, processes, durationMs })
  const episode = episodeOf(chance.fork("episode"), {
    applications: callers,
    connections: used,
    receivers: [...receivers.map(({ url }) => url), ...subscribed.urls],
    endpoints: receivers,
    neighbours,
    mayStall: !mayBeCalm && processes > 1,
    durationMs
  })
  const isApart = episode?.isApart === true
  const isCalm = mayBeCalm || isApart
  const kinds = (isCalm ? outsideDisturbances : disturbances).filter(() => chance.happens(0.6))
  if (kinds.length === 0) kinds.push(chance.pick(isCalm ? outsideDisturbances : disturbances))
  const administers = !isApart && chance.happens(0.6)
  const automates = chance.happens(0.4)
  const issuesKeys = chance.happens(0.4)

  const keyAction = (): Action => {
    const nth = chance.between(0, 5)
    const type = chance.pick(["issue-key", "rotate-key", "revoke-key", "use-key", "use-key", "use-key"] as const)
    if (type !== "issue-key") return { type, nth }
    const { id, name } = chance.pick(callers)
    return { type, application: { id, name } }
  }
  const administration = (): Action => {
    const application = chance.pick(callers)
    const endpointId = chance.pick(receivers).id
    switch (chance.between(0, 9)) {
      case 0:
        return {
          type: "set-application",
          applicationId: application.id,
          status: chance.pick(["active", "suspended", "active"])
        }
      case 1:
        return { type: "set-endpoint", endpointId, status: chance.pick(["active", "disabled", "active"]) }
      case 2:
        return {
          type: "set-connection",
          connectionId: chance.pick(used).id,
          status: chance.pick(["active", "paused", "active"])
        }
      case 3:
        return { type: "rotate-endpoint", endpointId }
      case 4:
        return { type: "recover-endpoint", endpointId }
      case 5:
        return { type: "set-connection", connectionId: chance.pick(used).id, status: "paused" }
      case 6:
        return { type: "change-number", nth: chance.between(0, 5), phone: chance.pick(numbers) }
      case 7:
        return { type: "replay-delivery", nth: chance.between(0, 20) }
      case 8:
        return { type: "merge", nth: chance.between(0, 5), into: chance.between(0, 5) }
      default:
        return { type: "erase", nth: chance.between(0, 5) }
    }
  }
  const filesHappen = chance.pick([0, 0, 0.15, 0.6])
  const files = (send: string, channel: string): ReadonlyArray<PlannedFile> =>
    Array.from({ length: chance.between(1, channel === "telegram" ? 4 : 2) }, (_, n) =>
      chance.happens(0.5)
        ? { url: `${filesUrl}/${encodeURIComponent(`${send} ${n}`)}` }
        : { upload: `file ${chance.between(1, 3)}` }
    )
  const action = (): Action => {
    const application = chance.pick(names)
    const roll = chance.between(0, 99)
    if (roll < 42) {
      const channel = chance.pick(channels)
      const to = chance.pick(people)
      const key = `key-${chance.between(1, keys)}`
      return {
        type: "send",
        application,
        channel,
        to,
        key,
        text: chance.pick(texts),
        reference: chance.happens(0.3) ? `reference ${chance.between(1, 5)}` : null,
        ...(chance.happens(filesHappen) ? { files: files(`${application} ${key}`, channel) } : {})
      }
    }
    if (roll < 53) return { type: "repeat", application, nth: chance.between(0, 20), changed: chance.happens(0.2) }
    if (roll < 66) {
      const what = chance.pick(["message", "message", "contact", "conversations", "contacts", "messages"] as const)
      return { type: "read", application, what, nth: chance.between(0, 20) }
    }
    if (roll < 80 && automates) {
      if (chance.happens(0.3)) return { type: "read-runs", workspaceId: chance.pick([...workspaces]) }
      return { type: "order", application, order: chance.between(1, 5), nth: chance.between(0, 5) }
    }
    if (roll < 80 && issuesKeys) return keyAction()
    if (roll < 91 || !administers) {
      const text = chance.happens(0.08) ? "STOP" : chance.happens(0.05) ? "START" : chance.pick(texts)
      return { type: "write", connectionId: chance.pick(used).id, from: chance.pick(people), text }
    }
    return administration()
  }
  const mood = (): VendorMood => {
    const probability = () => (chance.happens(0.4) ? chance.between(1, 40) / 100 : 0)
    return {
      ...goodMood,
      rejects: probability() / 4,
      throttles: probability(),
      fails: probability(),
      losesAnswer: probability() / 2,
      losesRequest: probability() / 2,
      neverAnswers: probability() / 8,
      answersLate: probability() / 2,
      repeats: probability(),
      contradicts: probability() / 2
    }
  }
  const process = () => chance.between(0, processes - 1)
  const disturbance = (type: DisturbanceType): Disturbance => {
    switch (type) {
      case "crash":
        return {
          type,
          process: process(),
          port: chance.pick([null, "storage", "provider", "webhook"]),
          when: chance.pick(["before", "after"])
        }
      case "stop":
        return { type, process: process() }
      case "stall":
        return { type, process: process(), ms: chance.pick([500, 5_000, 20_000]) }
      case "stall-all":
        return { type, ms: chance.pick([5_000, 20_000, maxStallMs]) }
      case "step-clock":
        return { type, process: process(), ms: chance.pick([-300_000, -5_000, -500, 500, 5_000, 300_000]) }
      case "drift":
        return { type, process: process(), msPerSecond: chance.pick([-50, -1, 1, 50]) }
      case "storage-away":
        return { type, ms: chance.pick([100, 2_000, 10_000]) }
      case "lose-commit":
        return { type, process: process(), applied: chance.happens(0.5) }
      case "slow":
        return { type, ms: chance.pick([0, 20, 500, 3_000]) }
      case "power-cut":
        return { type }
      case "hints":
        return { type, ...chance.pick(hintFaults) }
      case "vendor":
        return { type, mood: mood() }
      case "receiver":
        return { type, url: chance.pick([filesUrl, ...receivers.map(({ url }) => url)]), mood: chance.pick(moods) }
    }
  }

  const time = () => chance.between(0, durationMs)
  const publications = automates
    ? [...workspaces].map(
        (workspaceId): Step => ({
          at: chance.between(0, 200),
          action: { type: "publish-workflow", workspaceId, wait: chance.pick(waits) }
        })
      )
    : []
  const actions = Array.from(
    { length: chance.between(...size.actions) },
    (): Step => ({ at: time(), action: action() })
  )
  const faults = Array.from(
    { length: chance.between(...size.disturbances) },
    (): Step => ({ at: chance.between(0, disturbedMs), disturbance: disturbance(chance.pick(kinds)) })
  )
  const subscriptions = subscribed.stepsOf(isApart, administers)
  const dialogues = dialoguesOf(chance.fork("dialogues"), {
    connections: used,
    people,
    durationMs,
    takesOver: !isApart
  })
  const enqueues = isApart
    ? []
    : [
        ...enqueuesOf(chance.fork("enqueues"), { applications: names, channels, people, durationMs }),
        ...(automates ? enqueuedOrdersOf(chance.fork("enqueued orders"), { applications: names, durationMs }) : [])
      ]
  const failedCalls = isCalm ? [] : failedCallsOf(chance.fork("failed calls"), processes, disturbedMs)
  const steps = [
    ...publications,
    ...subscriptions,
    ...dialogues,
    ...enqueues,
    ...actions,
    ...faults,
    ...failedCalls,
    ...(episode?.steps ?? [])
  ].sort((one, other) => one.at - other.at)
  const endsAt = Math.max(durationMs, ...(episode?.steps ?? []).map(({ at }) => at))
  const restarts = !isApart && (processes === 1 || chance.happens(0.5))
  return { seed, processes: isApart ? Math.max(processes, 2) : processes, steps, quietAt: endsAt + 1_000, restarts }
}
