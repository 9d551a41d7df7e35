import { Command } from "@effect/cli"
import { Effect } from "effect"
import {
  argument,
  leaf,
  limitOption,
  needed,
  option,
  optionalChoice,
  workspaceFilter,
  workspaceOption
} from "./leaf.js"
import { printList, printOne } from "./output.js"
import { show, update } from "./resource.js"

const kind = { command: "agent", noun: "agent", path: "/agents" }

const create = leaf(
  "create",
  'Create an agent. Example: parley agent create "Grace Hopper" --email grace@acme.example',
  {
    name: argument("name", "What to call them"),
    email: option("email", "Their email address"),
    workspace: workspaceOption
  },
  ({ email, name, workspace }, { client, json, target }) =>
    Effect.gen(function* () {
      const workspace_id = yield* needed("workspace", workspace, target)
      yield* printOne(json, yield* client.call("POST", "/agents", { workspace_id, name, email }))
    })
)

const list = leaf(
  "list",
  "List agents, newest first. Example: parley agent list",
  { limit: limitOption, workspace: workspaceFilter },
  ({ limit, workspace }, { client, json }) =>
    Effect.flatMap(client.list("/agents", { limit, workspace_id: workspace }), (page) =>
      printList(json, page, ["id", "name", "email", "status", "workspace_id"])
    )
)

const change = update(
  kind,
  "Change an agent's name, email or status. Example: parley agent update <id> --status inactive",
  {
    name: option("name", "What to call them"),
    email: option("email", "Their email address; an empty one takes it away"),
    status: optionalChoice("status", ["active", "inactive"], "Nothing is assigned to an inactive one")
  },
  (patch) => ({ ...patch })
)

export const agent = Command.make("agent").pipe(
  Command.withDescription("Agents, the people who answer customers"),
  Command.withSubcommands([create, list, show(kind), change])
)
