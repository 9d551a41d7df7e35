import { Args, Command, Options } from "@effect/cli"
import { scopes } from "@parley/core"
import { Effect, Option } from "effect"
import {
  apiCommand,
  argument,
  choice,
  itemsOption,
  needed,
  numberOption,
  option,
  optionalChoice,
  workspaceFilter
} from "./apiCommand.js"
import { printOne } from "./output.js"
import { create, given, list, update } from "./resource.js"

const kind = { command: "app", noun: "application", path: "/applications" }

const allowed = {
  scopes: itemsOption("scopes", `The application's scopes, separated by commas: ${scopes.join(", ")}`),
  connection_ids: itemsOption("connections", "The ids of the connections that it may use, separated by commas"),
  limits: Options.all({
    requests_per_minute: numberOption("requests-per-minute", "The maximum number of requests per minute"),
    sends_per_minute: numberOption("sends-per-minute", "The maximum number of messages sent per minute")
  }).pipe(
    Options.map((limits) => given(limits)),
    Options.map((limits) => (Object.keys(limits).length === 0 ? null : limits))
  )
}

const show = apiCommand(
  "show",
  "Show one application with its scopes, limits and connections. Example: parley app show <id>",
  {
    id: Args.text({ name: "id" }).pipe(
      Args.withDescription("The application's id (default: the demo's)"),
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
  Command.withSubcommands([
    create(
      kind,
      "create",
      'Create an application; it may do everything where --scopes is left out. Example: parley app create "Web shop" --mode test --connections <id>,<id>',
      {
        name: argument("name", "The application's name"),
        mode: choice(
          "mode",
          ["live", "test"],
          "test",
          "A test application uses connections marked as test, a live one the others"
        ),
        ...allowed,
        scopes: Options.map(allowed.scopes, (selected) => selected ?? scopes),
        connection_ids: Options.map(allowed.connection_ids, (ids) => ids ?? [])
      }
    ),
    list(kind.path, "List applications, newest first. Example: parley app list", { workspace_id: workspaceFilter }, [
      "id",
      "name",
      "mode",
      "status",
      "workspace_id",
      "created_at"
    ]),
    show,
    update(
      kind,
      "Change what an application may do, suspend or activate it; scopes and connections are replaced as a whole. Example: parley app update <id> --status suspended Example: parley app update <id> --connections <id>,<id>",
      {
        name: option("name", "The application's name"),
        ...allowed,
        status: optionalChoice(
          "status",
          ["active", "suspended"],
          "A suspended application's requests are refused, and it gets no webhooks"
        )
      }
    )
  ])
)
