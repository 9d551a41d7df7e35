import { Options } from "@effect/cli"
import { Console, Effect } from "effect"
import type { Resource } from "./AdminClient.js"
import { apiCommand, limitOption, option, workspaceFilter } from "./apiCommand.js"
import { followLog } from "./followLog.js"
import { printList, printOne } from "./output.js"
import { sinceOption } from "./since.js"
import { cell } from "./table.js"

/** Lists the request log. */
export const logs = apiCommand(
  "logs",
  "List requests of applications with their results, newest first. Example: parley logs --status 4xx --since 1h Example: parley logs --app <id> --follow Example: parley logs --request <X-Request-ID>",
  {
    app: option("app", "Only requests of this application"),
    workspace: workspaceFilter,
    status: option("status", "Only requests answered with this HTTP status, such as 404, or a class, such as 5xx"),
    method: option("method", "Only requests with this HTTP method"),
    request: option("request", "Only the request with this X-Request-ID"),
    since: sinceOption("requests"),
    follow: Options.boolean("follow").pipe(
      Options.withDescription("Print new requests continuously, the newest last, until Ctrl-C"),
      Options.withAlias("f")
    ),
    limit: limitOption
  },
  ({ app, follow, limit, method, request, since, status, workspace }, { client, json }) => {
    if (request !== null) {
      return Effect.flatMap(client.call("GET", `/request-log/${encodeURIComponent(request)}`), (line) =>
        printOne(json, line)
      )
    }
    const owners = { application_id: app, workspace_id: workspace }
    const query = { ...owners, status, method: method?.toUpperCase() ?? null, since, limit }
    if (follow) {
      const show = (line: Resource) => Console.log(json ? JSON.stringify(line) : lineOf(line))
      return followLog(client, "/request-log", query, owners, show)
    }
    return Effect.flatMap(client.list("/request-log", query), (page) =>
      printList(json, page, [
        "created_at",
        "status",
        "method",
        "path",
        "duration_ms",
        "error_code",
        "id",
        "application_id"
      ])
    )
  }
)

/** Columns of fixed width come first, since the widths of later lines are unknown. */
const lineOf = ({ created_at, duration_ms, error_code, id, method, path, status }: Resource): string =>
  [
    cell(created_at),
    cell(status),
    cell(method).padEnd(6),
    `${cell(duration_ms).padStart(5)} ms`,
    cell(id),
    cell(path),
    ...(error_code === null ? [] : [cell(error_code)])
  ].join("  ")
