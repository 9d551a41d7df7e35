import type { IncomingMessage, ServerResponse } from "node:http"
import { cachedFor, gauge, metrics, prometheusText, prometheusType, type Storage } from "@parley/core"
import { readiness } from "@parley/host/layers"
import type { Settings } from "@parley/host-settings"
import { isLocalHost, isTrusted, trustedProxies } from "@parley/http"
import { ProcessMetrics } from "@parley/node"
import { Duration, Effect, Either, Runtime, type Scope } from "effect"
import manifest from "../package.json" with { type: "json" }
import { AllMetrics } from "./AllMetrics.js"
import { Stopping } from "./Stopping.js"

/** Handles a request for a probe. Returns whether the request was for a probe. */
export type Probe = (request: IncomingMessage, response: ServerResponse) => boolean

interface Answer {
  readonly status: number
  readonly type: string
  readonly text: string
}

/**
 * `GET /healthz`: this process runs. `GET /readyz`: it can work, otherwise 503 with the reason
 * (docs/reference/running.md#probes). `GET /metrics`: metrics for Prometheus, unless disabled (docs/metrics.md).
 */
export const probes = (
  settings: Pick<Settings, "database" | "metrics">
): Effect.Effect<Probe, never, Storage | Scope.Scope> =>
  Effect.gen(function* () {
    const answers = new Map<string, Effect.Effect<Answer, never, Storage>>([
      ["/healthz", Effect.succeed(json(200, { status: "ok" }))],
      ["/readyz", unlessStopping(yield* cached(ready))]
    ])
    if (settings.metrics) answers.set("/metrics", yield* cached(yield* measured(settings)))
    const runCallback = Runtime.runCallback(yield* Effect.runtime<Storage>())
    return (request, response) => {
      if (request.method !== "GET" && request.method !== "HEAD") return false
      const answer = answers.get(request.url?.split("?", 1)[0] ?? "")
      if (answer === undefined) return false
      runCallback(answer, {
        onExit: (exit) => send(response, exit._tag === "Success" ? exit.value : json(500, { status: "failed" }))
      })
      return true
    }
  })

/**
 * The probes on the port of the API. `/healthz` answers everyone. The others answer only callers on this machine and
 * trusted proxies, under a local host name and not on behalf of others (docs/reference/running.md#probes): each
 * execution writes to the database. They are not served here if they have a port of their own.
 */
export const guarded = (
  settings: Pick<Settings, "database" | "metrics" | "probesPort" | "trustedProxies">
): Effect.Effect<Probe, never, Storage | Scope.Scope> =>
  Effect.gen(function* () {
    const answersProbe = yield* probes(settings)
    const callers = [...loopback, ...settings.trustedProxies]
    const runFork = Runtime.runFork(yield* Effect.runtime<never>())
    let isWarned = false
    return (request, response) => {
      const path = request.url?.split("?", 1)[0] ?? ""
      if (path === "/healthz") return answersProbe(request, response)
      if (settings.probesPort !== null || !probePaths.includes(path)) return false
      const { headers, socket } = request
      const isForwarded = forwardingHeaders.some((name) => headers[name] !== undefined)
      if (!isForwarded && isTrusted(socket.remoteAddress ?? "", callers) && isLocalHost(headers.host ?? "")) {
        return answersProbe(request, response)
      }
      if (!isWarned) runFork(Effect.logWarning(`${path} was refused to ${socket.remoteAddress}: ${refusal}`))
      isWarned = true
      send(response, json(403, { status: "refused", reason: refusal }))
      return true
    }
  })

const probePaths = ["/readyz", "/metrics"]
const forwardingHeaders = ["forwarded", "x-forwarded-for", "x-real-ip"]
const loopback = Either.getOrThrow(trustedProxies(["127.0.0.0/8", "::1"]))
const refusal =
  "on this port, /readyz and /metrics answer this machine and PARLEY_TRUSTED_PROXIES only, by address or local name. Set PARLEY_PROBES_PORT to serve them on a port of their own"

/** One execution a second at most, however many probes ask. */
const cached = (answer: Effect.Effect<Answer, never, Storage>) => cachedFor(answer, Duration.seconds(1))

const json = (status: number, body: Readonly<Record<string, string>>): Answer => ({
  status,
  type: "application/json",
  text: `${JSON.stringify(body)}\n`
})

const ready: Effect.Effect<Answer, never, Storage> = readiness.pipe(
  Effect.as(json(200, { status: "ready" })),
  Effect.catchTag("NotReady", ({ reason }) => Effect.succeed(json(503, { status: "not_ready", reason })))
)

const unlessStopping = (answer: Effect.Effect<Answer, never, Storage>) =>
  Effect.flatMap(Stopping, ({ current }) =>
    current ? Effect.succeed(json(503, { status: "not_ready", reason: "this host is stopping" })) : answer
  )

/** The metrics of the engine and of the process; of all processes of this host. */
const measured = ({ database }: Pick<Settings, "database">) =>
  Effect.gen(function* () {
    const ofEngine = yield* metrics
    const ofProcess = yield* ProcessMetrics.make
    const labels = { version: manifest.version, node: process.versions.node, database: database._tag.toLowerCase() }
    const build = gauge("parley_build_info", "What runs here; always 1", [{ labels, value: 1 }])
    const allMetrics = yield* AllMetrics
    return Effect.map(
      allMetrics.of(Effect.map(ofEngine, (families) => [build, ...families, ...ofProcess()])),
      (families): Answer => ({ status: 200, type: prometheusType, text: prometheusText(families) })
    )
  })

const send = (response: ServerResponse, { status, text, type }: Answer): void => {
  response.writeHead(status, {
    "content-type": type,
    "content-length": Buffer.byteLength(text),
    "cache-control": "no-store"
  })
  response.end(text)
}
