import { Command } from "@effect/cli"
import { Effect } from "effect"
import { argument, itemsOf, leaf, limitOption, needed, option, workspaceFilter, workspaceOption } from "./leaf.js"
import { printList, printOne } from "./output.js"
import { show, update } from "./resource.js"

const kind = { command: "team", noun: "team", path: "/teams" }

const create = leaf(
  "create",
  'Create a team. Example: parley team create "Front desk" --agents <id>,<id>',
  {
    name: argument("name", "What to call it"),
    agents: option("agents", "The ids of its agents, separated by commas"),
    workspace: workspaceOption
  },
  ({ agents, name, workspace }, { client, json, target }) =>
    Effect.gen(function* () {
      const workspace_id = yield* needed("workspace", workspace, target)
      const input = { workspace_id, name, agent_ids: itemsOf(agents ?? "") }
      yield* printOne(json, yield* client.call("POST", "/teams", input))
    })
)

const list = leaf(
  "list",
  "List teams, newest first. Example: parley team list",
  { limit: limitOption, workspace: workspaceFilter },
  ({ limit, workspace }, { client, json }) =>
    Effect.flatMap(client.list("/teams", { limit, workspace_id: workspace }), (page) =>
      printList(json, page, ["id", "name", "agent_ids", "workspace_id"])
    )
)

const change = update(
  kind,
  "Change a team's name or agents; the agents are replaced as a whole. Example: parley team update <id> --agents <id>,<id>",
  {
    name: option("name", "What to call it"),
    agents: option("agents", "The ids of its agents, separated by commas; an empty text for none")
  },
  ({ agents, name }) => ({ name, agent_ids: agents === null ? null : itemsOf(agents) })
)

export const team = Command.make("team").pipe(
  Command.withDescription("Teams of agents"),
  Command.withSubcommands([create, list, show(kind), change])
)
