import { durations, type Recorder, recorder } from "@parley/core"
import type { Route } from "./RouteTable.js"

const requestSeconds: Recorder<["group", "status"]> = recorder({
  name: "parley_http_request_duration_seconds",
  description: "From the arrival of a request until its answer is ready",
  labels: ["group", "status"],
  boundaries: durations
})

/** Status classes, by first digit. */
const classes = ["other", "1xx", "2xx", "3xx", "4xx", "5xx"] as const

/** Group of requests without operation. */
export const noGroup = "none"

/**
 * Metrics group of a request: the group of a contract, for example `api/messages`, or a mounted handler, for example
 * `inbound`.
 */
export const groupOf = (route: Route): string => {
  switch (route._tag) {
    case "Found":
      return route.operation.group
    case "Mounted":
      return route.mountedHandler.name
    default:
      return noGroup
  }
}

/**
 * Records the duration of a request. 502 has its own label: it reports a failure of a provider, not of this service.
 */
export const measureRequest = (group: string, status: number, durationMs: number): void =>
  requestSeconds(durationMs / 1_000, group, status === 502 ? "502" : (classes[Math.floor(status / 100)] ?? classes[0]))
