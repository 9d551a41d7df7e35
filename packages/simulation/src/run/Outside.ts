import type { Storage } from "@parley/core"
import type { Outgoing } from "@parley/http"
import { Effect, Exit } from "effect"
import type { VendorEvent } from "../audit/Journal.js"
import type { Chance } from "./Chance.js"
import type { Recorder } from "./Recorder.js"
import type { SimulatedProcess } from "./SimulatedProcess.js"
import type { StartedEngine } from "./startEngine.js"
import { adminToken } from "./startEngine.js"
import { apiKeys } from "./tenants.js"

/** A process whose engine has started. */
export interface Serving {
  readonly process: SimulatedProcess
  readonly interpreter: StartedEngine
  /** Commits past the engine, as a transaction of the application on a connection of its own does. */
  readonly commit: Storage["commit"]
}

/** A response as its caller received it. */
export interface Received {
  readonly status: number
  readonly body: unknown
}

/** Calls of callers outside of Parley, over a network with latency. */
export interface Outside {
  /** Sends a request to any serving process. Null: the connection broke, and the result is unknown. */
  readonly request: (
    caller: string,
    method: string,
    path: string,
    options?: {
      readonly idempotencyKey?: string
      readonly body?: unknown
      /** Sends the body as a text file instead of JSON. */
      readonly isFile?: boolean
      /** Default: the key of the caller. */
      readonly apiKey?: { readonly id: string; readonly key: string }
    }
  ) => Effect.Effect<Received | null>
  /** Reports an event of a vendor until Parley answers 2xx. */
  readonly report: (connectionId: string, event: string, report: VendorEvent["report"]) => Effect.Effect<void>
}

const maxLatencyMs = 20
const retryDelays = [500, 2_000, 10_000, 30_000, 60_000] as const
const encoder = new TextEncoder()

export const makeOutside = (
  outside: SimulatedProcess,
  chance: Chance,
  recorder: Recorder,
  serving: () => ReadonlyArray<Serving>
): Outside => {
  const latency = () => outside.pass(chance.between(0, maxLatencyMs))

  const exchange = (
    method: string,
    url: string,
    headers: { readonly [name: string]: string },
    body: unknown,
    isFile = false
  ): Effect.Effect<Outgoing | null> =>
    Effect.suspend(() => {
      const targets = serving()
      if (targets.length === 0) return Effect.succeed(null)
      const { interpreter, process } = chance.pick(targets)
      const text = body === undefined ? "" : isFile ? String(body) : JSON.stringify(body)
      const bytes = encoder.encode(text)
      const contentType = isFile ? "text/plain" : "application/json"
      const all = body === undefined ? headers : { ...headers, "content-type": contentType }
      return Effect.async<Outgoing | null>((resume) => {
        const broken = process.onCrash(() => resume(Effect.succeed(null)))
        const answered = interpreter.answer({
          method,
          url,
          base: "https://parley.test",
          headers: { host: "parley.test", ...all },
          peer: "192.0.2.1",
          body: (limit) => Effect.succeed(bytes.length > limit ? null : bytes)
        })
        process.fork(answered).addObserver((exit) => {
          broken()
          resume(Effect.succeed(Exit.isSuccess(exit) ? exit.value : null))
        })
      })
    })

  const request: Outside["request"] = (caller, method, path, { apiKey, body, idempotencyKey, isFile } = {}) =>
    Effect.gen(function* () {
      const number = recorder.number()
      recorder.record({
        kind: "request",
        request: number,
        caller,
        method,
        path,
        idempotencyKey: idempotencyKey ?? null,
        ...(apiKey === undefined ? {} : { apiKey: apiKey.id }),
        body: body ?? null
      })
      yield* latency()
      const token = apiKey?.key ?? (caller === "administrator" ? adminToken : apiKeys.get(caller))
      const headers = {
        authorization: `Bearer ${token}`,
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey })
      }
      const outgoing = yield* exchange(method, path, headers, body, isFile)
      yield* latency()
      if (outgoing === null) return null
      const text = typeof outgoing.body === "string" ? outgoing.body : ""
      const received = { status: outgoing.status, body: text === "" ? null : (JSON.parse(text) as unknown) }
      recorder.record({ kind: "response", request: number, headers: outgoing.headers, ...received })
      return received
    })

  const report: Outside["report"] = (connectionId, event, report) => {
    const attempt = (n: number): Effect.Effect<void> =>
      Effect.gen(function* () {
        const call = recorder.number()
        recorder.record({ kind: "vendor-event", call, event, connectionId, report })
        yield* latency()
        const outgoing = yield* exchange("POST", `/inbound/${connectionId}`, {}, report)
        yield* latency()
        if (outgoing !== null) recorder.record({ kind: "vendor-event-answer", call, status: outgoing.status })
        if (outgoing !== null && outgoing.status < 300) return
        yield* outside.pass(retryDelays[Math.min(n, retryDelays.length - 1)] ?? 0)
        yield* attempt(n + 1)
      })
    return attempt(0)
  }
  return { request, report }
}
