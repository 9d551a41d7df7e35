import { durations, type Recorder, recorder } from "@parley/core"
import type { Route } from "./RouteTable.js"

const requestSeconds: Recorder<["group", "status"]> = recorder({
  name: "parley_http_request_duration_seconds",
  description: "From the arrival of a request until its answer is ready",
  labels: ["group", "status"],
  boundaries: durations
})

/** Classes of status, by their first digit. */
const classes = ["other", "1xx", "2xx", "3xx", "4xx", "5xx"] as const

/** The group of requests that lead to no operation. */
export const noGroup = "none"

/** What a request belongs to: the group of a contract, such as `api/messages`, or an annex, such as `inbound`. */
export const groupOf = (route: Route): string => {
  switch (route._tag) {
    case "Found":
      return route.operation.group
    case "Annexed":
      return route.annex.name
    default:
      return noGroup
  }
}

/** Measures a request that was answered. A 502 stands apart: it tells what a provider said, not how we do. */
export const measureRequest = (group: string, status: number, durationMs: number): void =>
  requestSeconds(durationMs / 1_000, group, status === 502 ? "502" : (classes[Math.floor(status / 100)] ?? classes[0]))
