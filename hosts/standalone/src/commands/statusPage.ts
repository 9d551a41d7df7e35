import { failuresThatDisable, maskedUrl, maxCounted, type StatusResource } from "@parley/core"
import { cell, durationText, tableOf } from "./table.js"

/** A number of jobs, which are counted up to {@link maxCounted}. */
const countOf = (jobs: number): string => (jobs < maxCounted ? `${jobs}` : `${jobs}+`)

/** The status as text: short where all is well, otherwise with the remedy. */
export const statusPage = (status: typeof StatusResource.Type, url: string, room: number | null): string => {
  const { clockSkewMs, disabledEndpoints, inactiveConnections, inactiveWorkspaces, lanes, missingSecretKeys } = status
  const { notifications, recentDeliveries, suspendedApplications, time, waitingSubscriptions } = status
  const { delivered, failed, pending } = recentDeliveries
  const newest = delivered + failed + pending
  const part = (title: string, lines: ReadonlyArray<ReadonlyArray<string>>): string =>
    `${title}\n${tableOf(lines, room, "  ")}`
  return [
    `Parley at ${url} is ready; its clock and the database's are ${clockSkewMs === 0 ? "the same" : `${clockSkewMs} ms apart`}.`,
    part("Queue", [
      ["LANE", "DUE", "RUNNING", "WAITING", "OLDEST DUE"],
      ...lanes.map(({ due, lane, leased, oldestDueAt, waiting }) => [
        lane,
        countOf(due),
        countOf(leased),
        countOf(waiting),
        oldestDueAt === null ? "-" : `for ${durationText(time - oldestDueAt, "s")}`
      ])
    ]),
    newest === 0
      ? "Webhooks: there are no deliveries yet."
      : `Webhooks: of the newest ${newest} deliveries, ${delivered} succeeded, ${pending} are pending and ${failed} failed.`,
    ...(inactiveWorkspaces.length === 0
      ? []
      : [
          part(
            "Workspaces whose requests are refused; `parley workspace update <id> --status active` activates one",
            inactiveWorkspaces.map(({ id, name, status }) => [id, status, cell(name)])
          )
        ]),
    ...(suspendedApplications.length === 0
      ? []
      : [
          part(
            "Suspended applications; `parley app update <id> --status active` activates one",
            suspendedApplications.map(({ id, name }) => [id, cell(name)])
          )
        ]),
    disabledEndpoints.length === 0
      ? "Endpoints: none is disabled."
      : part(
          "Disabled endpoints; `parley endpoint enable <id>` enables one",
          disabledEndpoints.map((endpoint) => [
            endpoint.id,
            endpoint.consecutiveFailures < failuresThatDisable
              ? "by an administrator"
              : `after ${failuresThatDisable} failures in a row`,
            cell(maskedUrl(endpoint.url))
          ])
        ),
    ...(waitingSubscriptions.length === 0
      ? []
      : [
          part(
            "Subscriptions that no process handles in time; start the service that does (`parley.on`), or more of its processes; if no code has it any more: `parley endpoint delete <id>`",
            waitingSubscriptions.map(({ id, url }) => [id, cell(url)])
          )
        ]),
    inactiveConnections.length === 0
      ? "Connections: none is paused or disconnected."
      : part(
          "Connections that do not send; `parley connection update <id> --status active` activates one",
          inactiveConnections.map(({ channel, id, name, status }) => [id, status, channel, cell(name)])
        ),
    ...(missingSecretKeys.length === 0
      ? []
      : [
          part(
            "Secret keys that this host lacks; webhooks and sends that need them wait. Add them to PARLEY_SECRET_KEY_PREVIOUS; `parley secrets status` counts all values",
            missingSecretKeys.map(({ key, values }) => [cell(key), `${values} ${values === 1 ? "value" : "values"}`])
          )
        ]),
    notifications.length === 0
      ? "Notifications: none."
      : part(
          "Last notifications",
          notifications.map(({ createdAt, message }) => [cell(new Date(createdAt).toISOString()), cell(message)])
        )
  ].join("\n\n")
}
