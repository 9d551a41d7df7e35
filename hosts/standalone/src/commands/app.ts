import { Args, Command, Options } from "@effect/cli"
import { scopes } from "@parley/core"
import { Effect, Option } from "effect"
import { argument, itemsOf, leaf, limitOption, needed, option, workspaceOption } from "./leaf.js"
import { printList, printOne } from "./output.js"

const create = leaf(
  "create",
  'Create an application. Example: parley app create "Web shop" --mode test --connections <id>,<id>',
  {
    name: argument("name", "What to call it"),
    mode: Options.choice("mode", ["live", "test"]).pipe(
      Options.withDescription("A test application uses connections marked as test, a live one the others"),
      Options.withDefault("test" as const)
    ),
    scopes: option("scopes", `What it may do, separated by commas; all where it is left out: ${scopes.join(",")}`),
    connections: option("connections", "The ids of the connections that it may use, separated by commas"),
    workspace: workspaceOption
  },
  (input, { client, json, target }) =>
    Effect.gen(function* () {
      const made = yield* client.call("POST", "/applications", {
        workspace_id: yield* needed("workspace", input.workspace, target),
        name: input.name,
        mode: input.mode,
        scopes: input.scopes === null ? scopes : itemsOf(input.scopes),
        connection_ids: itemsOf(input.connections ?? "")
      })
      yield* printOne(json, made)
    })
)

const list = leaf(
  "list",
  "List applications, newest first",
  { limit: limitOption, workspace: option("workspace", "Only this workspace's") },
  ({ limit, workspace }, { client, json }) =>
    Effect.flatMap(client.list("/applications", { limit, workspace_id: workspace }), (page) =>
      printList(json, page, ["id", "name", "mode", "status", "workspace_id", "created_at"])
    )
)

const show = leaf(
  "show",
  "Show one application with its scopes, limits and connections",
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

export const app = Command.make("app").pipe(
  Command.withDescription("Applications, the callers of the public API"),
  Command.withSubcommands([create, list, show])
)
