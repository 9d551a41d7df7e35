import { failuresThatDisable, type StatusResource } from "@parley/core"
import { cell, lineOf, widthsOf } from "./table.js"

/** The status for a person: what is well in few words, what is not with what to do about it. */
export const statusPage = (status: typeof StatusResource.Type, url: string): string => {
  const { clockSkewMs, disabledEndpoints, inactiveConnections, inactiveWorkspaces, lanes } = status
  const { notifications, recentDeliveries, suspendedApplications, time } = status
  const { delivered, failed, pending } = recentDeliveries
  const newest = delivered + failed + pending
  return [
    `Parley at ${url} is ready; its clock and the database's are ${clockSkewMs === 0 ? "the same" : `${clockSkewMs} ms apart`}.`,
    part("Queue", [
      ["LANE", "DUE", "RUNNING", "WAITING", "OLDEST DUE"],
      ...lanes.map(({ due, lane, leased, oldestDueAt, waiting }) => [
        lane,
        `${due}`,
        `${leased}`,
        `${waiting}`,
        oldestDueAt === null ? "-" : `for ${duration(time - oldestDueAt)}`
      ])
    ]),
    newest === 0
      ? "Webhooks: none were made yet."
      : `Webhooks: of the newest ${newest} deliveries, ${delivered} arrived, ${pending} are waiting and ${failed} failed.`,
    ...(inactiveWorkspaces.length === 0
      ? []
      : [
          part(
            "Workspaces whose calls are refused; `parley workspace update <id> --status active` lets one go on",
            inactiveWorkspaces.map(({ id, name, status }) => [id, status, cell(name)])
          )
        ]),
    ...(suspendedApplications.length === 0
      ? []
      : [
          part(
            "Suspended applications; `parley app update <id> --status active` lets one go on",
            suspendedApplications.map(({ id, name }) => [id, cell(name)])
          )
        ]),
    disabledEndpoints.length === 0
      ? "Endpoints: none is disabled."
      : part(
          "Disabled endpoints; `parley endpoint enable <id>` lets one go on",
          disabledEndpoints.map((endpoint) => [
            endpoint.id,
            endpoint.consecutiveFailures < failuresThatDisable
              ? "by an administrator"
              : `after ${failuresThatDisable} failures in a row`,
            cell(endpoint.url)
          ])
        ),
    inactiveConnections.length === 0
      ? "Connections: none is paused or disconnected."
      : part(
          "Connections that do not send; `parley connection update <id> --status active` lets one go on",
          inactiveConnections.map(({ channel, id, name, status }) => [id, status, channel, cell(name)])
        ),
    notifications.length === 0
      ? "Notifications: none."
      : part(
          "Last notifications",
          notifications.map(({ createdAt, message }) => [cell(new Date(createdAt).toISOString()), cell(message)])
        )
  ].join("\n\n")
}

const part = (title: string, lines: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = widthsOf(lines, null)
  return [title, ...lines.map((line) => `  ${lineOf(line, widths, null)}`)].join("\n")
}

/** `ms` in its largest unit. */
const duration = (ms: number): string => {
  const units = [
    ["d", 86_400_000],
    ["h", 3_600_000],
    ["min", 60_000],
    ["s", 1_000]
  ] as const
  const [unit, size] = units.find(([, size]) => ms >= size) ?? ["s", 1_000]
  return `${Math.floor(ms / size)} ${unit}`
}
