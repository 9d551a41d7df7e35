import { Args, Command } from "@effect/cli"
import { scopes } from "@parley/core"
import { Effect, Option } from "effect"
import {
  argument,
  choice,
  itemsOf,
  leaf,
  limitOption,
  needed,
  numberOption,
  option,
  optionalChoice,
  workspaceFilter,
  workspaceOption
} from "./leaf.js"
import { printList, printOne } from "./output.js"
import { given, update } from "./resource.js"

const kind = { command: "app", noun: "application", path: "/applications" }

const allowed = {
  scopes: option("scopes", `What it may do, separated by commas: ${scopes.join(", ")}`),
  connections: option("connections", "The ids of the connections that it may use, separated by commas"),
  requests: numberOption("requests-per-minute", "How many requests it may make in a minute"),
  sends: numberOption("sends-per-minute", "How many messages it may send in a minute")
}

/** The limits that are given; null where none is. */
const limitsOf = (requests: number | null, sends: number | null) =>
  requests === null && sends === null ? null : given({ requests_per_minute: requests, sends_per_minute: sends })

const create = leaf(
  "create",
  'Create an application; it may do everything where --scopes is left out. Example: parley app create "Web shop" --mode test --connections <id>,<id>',
  {
    name: argument("name", "What to call it"),
    mode: choice(
      "mode",
      ["live", "test"],
      "test",
      "A test application uses connections marked as test, a live one the others"
    ),
    ...allowed,
    workspace: workspaceOption
  },
  (input, { client, json, target }) =>
    Effect.gen(function* () {
      const made = yield* client.call("POST", "/applications", {
        workspace_id: yield* needed("workspace", input.workspace, target),
        name: input.name,
        mode: input.mode,
        scopes: input.scopes === null ? scopes : itemsOf(input.scopes),
        connection_ids: itemsOf(input.connections ?? ""),
        ...given({ limits: limitsOf(input.requests, input.sends) })
      })
      yield* printOne(json, made)
    })
)

const list = leaf(
  "list",
  "List applications, newest first. Example: parley app list",
  { limit: limitOption, workspace: workspaceFilter },
  ({ limit, workspace }, { client, json }) =>
    Effect.flatMap(client.list("/applications", { limit, workspace_id: workspace }), (page) =>
      printList(json, page, ["id", "name", "mode", "status", "workspace_id", "created_at"])
    )
)

const show = leaf(
  "show",
  "Show one application with its scopes, limits and connections. Example: parley app show <id>",
  {
    id: Args.text({ name: "id" }).pipe(
      Args.withDescription("The application's id; the demo's where it is left out"),
      Args.optional
    )
  },
  ({ id }, { client, json, target }) =>
    Effect.gen(function* () {
      const application = yield* needed("app", Option.getOrNull(id), target)
      yield* printOne(json, yield* client.call("GET", `/applications/${encodeURIComponent(application)}`))
    })
)

const change = update(
  kind,
  "Change what an application may do, suspend or activate it; scopes and connections are replaced as a whole. Example: parley app update <id> --status suspended Example: parley app update <id> --connections <id>,<id>",
  {
    name: option("name", "What to call it"),
    ...allowed,
    status: optionalChoice("status", ["active", "suspended"], "A suspended one is refused, and sent no webhooks")
  },
  ({ connections, name, requests, scopes, sends, status }) => ({
    name,
    scopes: scopes === null ? null : itemsOf(scopes),
    connection_ids: connections === null ? null : itemsOf(connections),
    limits: limitsOf(requests, sends),
    status
  })
)

export const app = Command.make("app").pipe(
  Command.withDescription("Applications, the callers of the public API"),
  Command.withSubcommands([create, list, show, change])
)
