import {
  afterRunning,
  type FetchedFile,
  type OutboundRequest,
  type OutboundResult,
  ProviderUnavailable
} from "@parley/core"
import { Effect, Stream } from "effect"
import type { Chance } from "./Chance.js"
import type { Faults } from "./Faults.js"
import type { Recorder } from "./Recorder.js"
import type { SimulatedProcess } from "./SimulatedProcess.js"
import type { Timeline } from "./Timeline.js"

/**
 * How a receiver of webhooks behaves. `loses`: it answers 2xx, and the answer does not arrive. `refuses`: it answers
 * the next event with an error, at every attempt, and works for all others.
 */
export type ReceiverMood = "works" | "fails" | "hangs" | "breaks" | "loses" | "slow" | "refuses"

/** Where the files of messages are fetched from. The content of a file is its URL. */
export const filesUrl = "https://files.test"

/** The receivers of webhooks of a history and the server of {@link filesUrl}, outside of Parley, by URL. */
export interface Receivers {
  readonly setMood: (url: string, mood: ReceiverMood) => void
  /** Ends all moods. Events that a receiver refused are still refused. */
  readonly allWork: () => void
  /** `HttpSender.post` of a process. */
  readonly post: (process: SimulatedProcess, request: OutboundRequest) => Effect.Effect<OutboundResult>
  /** `HttpSender.get` of a process. */
  readonly get: (
    process: SimulatedProcess,
    url: string,
    timeoutMs: number
  ) => Effect.Effect<FetchedFile, ProviderUnavailable>
}

const maxLatencyMs = 100
const slowMs = 9_000
const encoder = new TextEncoder()

export const makeReceivers = (timeline: Timeline, chance: Chance, recorder: Recorder, faults: Faults): Receivers => {
  const moods = new Map<string, ReceiverMood>()
  const refused = new Set<string>()

  const refuses = (url: string, eventId: string): boolean => {
    if (moods.get(url) === "refuses") {
      moods.delete(url)
      refused.add(`${url} ${eventId}`)
    }
    return refused.has(`${url} ${eventId}`)
  }

  const post = (
    process: SimulatedProcess,
    { body, headers, timeoutMs, url }: OutboundRequest
  ): Effect.Effect<OutboundResult> =>
    Effect.async((resume) => {
      const attempt = recorder.number()
      let isOver = false
      const end = (result: OutboundResult) => {
        isOver = true
        resume(Effect.succeed(result))
      }
      // An answer that arrived while the process was stalled is read first, as the sender of Node does.
      const giveUp = () => {
        if (!isOver) end({ _tag: "NotAnswered", error: "timeout" })
      }
      const { setTimer } = process.loop
      const cancelTimeout = afterRunning(setTimer, timeoutMs, () => void setTimer(giveUp, 0))
      const answer = (status: number | null, arrives: boolean) => {
        const arrived = arrives && process.isAlive() && !isOver
        recorder.record({ kind: "webhook-answer", attempt, status, arrived })
        if (!arrived) return
        process.loop.setTimer(() => {
          if (isOver) return
          cancelTimeout()
          end(
            status === null
              ? { _tag: "NotAnswered", error: "connection reset" }
              : { _tag: "Answered", status, body: "" }
          )
        }, 0)
      }
      timeline.after(chance.between(0, maxLatencyMs), () => {
        recorder.record({ kind: "webhook", attempt, process: process.name, url, headers: lowerCase(headers), body })
        const latency = chance.between(0, maxLatencyMs)
        const mood = refuses(url, lowerCase(headers)["x-webhook-id"] ?? "") ? "fails" : (moods.get(url) ?? "works")
        if (mood === "hangs") return
        timeline.after(mood === "slow" ? slowMs + latency : latency, () => {
          if (mood === "fails") return answer(chance.pick([500, 503, 404, 429]), true)
          if (mood === "breaks") return answer(null, true)
          answer(chance.pick([200, 204]), mood !== "loses")
        })
      })
      return Effect.sync(() => {
        isOver = true
      })
    })

  const get = (
    process: SimulatedProcess,
    url: string,
    timeoutMs: number
  ): Effect.Effect<FetchedFile, ProviderUnavailable> =>
    Effect.async((resume) => {
      const cancelTimeout = afterRunning(process.loop.setTimer, timeoutMs, () =>
        resume(new ProviderUnavailable({ reason: "timeout" }))
      )
      const mood = moods.get(filesUrl) ?? "works"
      if (mood === "hangs" || mood === "loses") return
      timeline.after(chance.between(0, maxLatencyMs) + (mood === "slow" ? slowMs : 0), () => {
        if (!process.isAlive()) return
        process.loop.setTimer(() => {
          cancelTimeout()
          resume(
            mood === "fails" || mood === "breaks"
              ? new ProviderUnavailable({ reason: "its URL answered 503" })
              : Effect.succeed({ contentType: "text/plain", fileName: null, bytes: Stream.make(encoder.encode(url)) })
          )
        }, 0)
      })
    })

  return {
    setMood: (url, mood) => void moods.set(url, mood),
    allWork: () => moods.clear(),
    post: (process, request) => faults.crashingAt(process, "webhook", post(process, request)),
    get: (process, url, timeoutMs) => faults.crashingAt(process, "webhook", get(process, url, timeoutMs))
  }
}

const lowerCase = (headers: { readonly [name: string]: string }): { readonly [name: string]: string } =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
