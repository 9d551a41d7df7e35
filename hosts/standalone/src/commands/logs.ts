import { Options } from "@effect/cli"
import { Console, Effect } from "effect"
import type { Resource } from "./AdminClient.js"
import { followLog } from "./followLog.js"
import { leaf, limitOption, option, workspaceFilter } from "./leaf.js"
import { printList, printOne } from "./output.js"
import { cell } from "./table.js"

/** What applications asked and what came of it. */
export const logs = leaf(
  "logs",
  "List what applications asked and what came of it, newest first. Example: parley logs --status 4xx Example: parley logs --app <id> --follow Example: parley logs --request <X-Request-ID>",
  {
    app: option("app", "Only this application's"),
    workspace: workspaceFilter,
    status: option("status", "Only those answered with this HTTP status, such as 404, or a class of them, such as 5xx"),
    method: option("method", "Only those with this HTTP method"),
    request: option("request", "Only the one whose answer had this X-Request-ID"),
    follow: Options.boolean("follow").pipe(
      Options.withDescription("Print new ones as they come, the newest last, until Ctrl-C"),
      Options.withAlias("f")
    ),
    limit: limitOption
  },
  ({ app, follow, limit, method, request, status, workspace }, { client, json }) => {
    if (request !== null) {
      return Effect.flatMap(client.call("GET", `/request-log/${encodeURIComponent(request)}`), (line) =>
        printOne(json, line)
      )
    }
    const owners = { application_id: app, workspace_id: workspace }
    const query = { ...owners, status, method: method?.toUpperCase() ?? null, limit }
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

/** What has one length comes first: nobody knows how long the lines to come will be. */
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
