import type { Chance } from "./Chance.js"
import type { ReceiverMood } from "./Receivers.js"
import type { Step } from "./Step.js"
import { type PlannedSubscription, urlOf } from "./Subscribers.js"

/** The subscriptions of a history. */
export interface PlannedSubscriptions {
  readonly urls: ReadonlyArray<string>
  /** When processes subscribe and stop, and how their functions behave. `isApart`: without faults, to the end. */
  readonly stepsOf: (isApart: boolean, administers: boolean) => ReadonlyArray<Step>
}

interface Setting {
  readonly applications: ReadonlyArray<{ readonly id: string; readonly name: string; readonly workspaceId: string }>
  readonly processes: number
  readonly durationMs: number
}

const probability = 0.5
const names = ["notes", "notes", "orders"] as const
const lists = [[], [], ["message.received", "message.queued"]] as const
const moods: ReadonlyArray<ReceiverMood> = ["works", "fails", "hangs", "breaks", "slow", "refuses"]
const maxStartMs = 200

/**
 * One or two subscriptions in half of the histories, each handled by the processes of some hosts. Applications use the
 * same names. Some get the events of the whole workspace, and half of them are ordered.
 */
export const subscriptionsOf = (
  chance: Chance,
  { applications, durationMs, processes }: Setting
): PlannedSubscriptions => {
  const planned = new Map<string, PlannedSubscription>()
  const count = chance.happens(probability) ? chance.between(1, 2) : 0
  for (let n = 0; n < count; n++) {
    const { id, name, workspaceId } = chance.pick(applications)
    const subscription: PlannedSubscription = {
      application: { id, name },
      workspaceId: chance.happens(0.3) ? workspaceId : null,
      name: chance.pick(names),
      events: chance.pick(lists),
      fromBegin: chance.happens(0.3),
      concurrency: chance.pick([16, 16, 1]),
      ordered: chance.happens(0.5)
    }
    planned.set(urlOf(subscription), subscription)
  }

  const hostsOf = (): ReadonlyArray<number> => {
    const first = chance.between(0, processes - 1)
    return Array.from({ length: processes }, (_, host) => host).filter((host) => host === first || chance.happens(0.5))
  }
  const time = () => chance.between(0, durationMs)
  const stepsOf = (isApart: boolean, administers: boolean): ReadonlyArray<Step> =>
    [...planned.values()].flatMap((subscription): ReadonlyArray<Step> => {
      const hosts = hostsOf()
      const isLate = subscription.fromBegin && chance.happens(0.5)
      const step = (type: "subscribe" | "unsubscribe", host: number, at: number): Step => ({
        at,
        action: { type, host, subscription }
      })
      const begins = hosts.map((host) => step("subscribe", host, isLate ? time() : chance.between(0, maxStartMs)))
      if (isApart) return begins
      const url = urlOf(subscription)
      const changes = Array.from(
        { length: chance.between(0, 3) },
        (): Step => ({ at: time(), disturbance: { type: "receiver", url, mood: chance.pick(moods) } })
      )
      const administered: ReadonlyArray<Step> =
        administers && chance.happens(0.2)
          ? [{ at: time(), action: { type: "set-subscription", nth: 0, status: "disabled" } }]
          : []
      const pauses = chance.happens(0.3)
        ? hosts.flatMap((host) => {
            const at = time()
            return [step("unsubscribe", host, at), step("subscribe", host, chance.between(at, durationMs))]
          })
        : []
      // No process handles it at the end: its events wait.
      if (!chance.happens(0.2)) return [...begins, ...changes, ...administered, ...pauses]
      const endsAt = time() + maxStartMs
      const ends = hosts.map((host) => step("unsubscribe", host, endsAt))
      return [...begins, ...changes, ...administered, ...pauses].filter(({ at }) => at < endsAt).concat(ends)
    })
  return { urls: [...planned.keys()], stepsOf }
}
