import type { Subscriber } from "@parley/core"
import { Effect } from "effect"
import type { Chance } from "./Chance.js"
import type { Faults } from "./Faults.js"
import type { ReceiverMood } from "./Receivers.js"
import type { Recorder } from "./Recorder.js"
import type { SimulatedProcess } from "./SimulatedProcess.js"

/** A subscription of an application or of its workspace. Its name is the same in several of them. */
export interface PlannedSubscription {
  readonly application: { readonly id: string; readonly name: string }
  /** The workspace of the application, if the subscription gets the events of all of it. */
  readonly workspaceId: string | null
  readonly name: string
  /** Empty: all. */
  readonly events: ReadonlyArray<string>
  /** Whether it is to get the events since the begin of the history. */
  readonly fromBegin: boolean
  /** Maximum number of events that a process handles at once. */
  readonly concurrency: number
  /** Whether events of one conversation are handled one after another. */
  readonly ordered: boolean
}

/** Identifies a subscription in the journal, and as a receiver. */
export const urlOf = ({
  application,
  name,
  workspaceId
}: Pick<PlannedSubscription, "application" | "name" | "workspaceId">): string =>
  `subscription:${name} of ${workspaceId === null ? application.name : `workspace ${workspaceId}`}`

export const isSubscription = (url: string): boolean => url.startsWith("subscription:")

/** The functions of subscriptions, as a host wraps them: with a timeout. */
export interface Subscribers {
  /** By {@link urlOf}. `breaks`, `loses` and `refuses`: the function fails later; `refuses` also each time again. */
  readonly setMood: (url: string, mood: ReceiverMood) => void
  /** Ends all moods. Events that were refused are still refused. */
  readonly allWork: () => void
  readonly subscriberOf: (process: SimulatedProcess, url: string, isStopping: () => boolean) => Subscriber
}

const maxLatencyMs = 100
const slowMs = 9_000
const timeoutMs = 10_000

export const makeSubscribers = (chance: Chance, recorder: Recorder, faults: Faults): Subscribers => {
  const moods = new Map<string, ReceiverMood>()
  const refused = new Set<string>()

  const handle = (
    process: SimulatedProcess,
    url: string,
    isStopping: () => boolean,
    body: string,
    number: number
  ): Effect.Effect<void, string | null> =>
    Effect.async((resume) => {
      const attempt = recorder.number()
      recorder.record({ kind: "handling", attempt, process: process.name, url, number, body })
      let isOver = false
      const end = (result: Effect.Effect<void, string | null>) => {
        isOver = true
        cancelTimeout()
        resume(result)
      }
      const cancelTimeout = process.loop.setTimer(() => end(Effect.fail("timeout")), timeoutMs)
      const ends = (succeeded: boolean) => {
        if (isOver || !process.isAlive()) return
        recorder.record({ kind: "handled", attempt, succeeded })
        end(succeeded ? Effect.void : Effect.fail(isStopping() ? null : "Error: The function failed."))
      }
      const mood = moods.get(url) ?? "works"
      const key = `${url} ${(JSON.parse(body) as { readonly id: string }).id}`
      if (mood === "refuses") refused.add(key)
      const latency = chance.between(0, maxLatencyMs)
      if (mood === "fails") ends(false)
      else if (mood !== "hangs") {
        const fails = mood === "breaks" || mood === "loses" || refused.has(key)
        process.loop.setTimer(() => ends(!fails), latency + (mood === "slow" ? slowMs : 0))
      }
      return Effect.sync(() => {
        isOver = true
        cancelTimeout()
      })
    })

  return {
    setMood: (url, mood) => void moods.set(url, mood),
    allWork: () => moods.clear(),
    subscriberOf:
      (process, url, isStopping) =>
      (body, { number }) =>
        faults.crashingAt(process, "webhook", handle(process, url, isStopping, body, number))
  }
}
