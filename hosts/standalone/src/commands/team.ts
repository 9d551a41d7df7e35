import { Command, Options } from "@effect/cli"
import { argument, itemsOption, option, workspaceFilter } from "./apiCommand.js"
import { create, list, show, update } from "./resource.js"

const kind = { command: "team", noun: "team", path: "/teams" }

export const team = Command.make("team").pipe(
  Command.withDescription("Teams of agents"),
  Command.withSubcommands([
    create(kind, "create", 'Create a team. Example: parley team create "Front desk" --agents <id>,<id>', {
      name: argument("name", "The team's name"),
      agent_ids: itemsOption("agents", "The ids of its agents, separated by commas").pipe(
        Options.map((ids) => ids ?? [])
      )
    }),
    list(kind.path, "List teams, newest first. Example: parley team list", { workspace_id: workspaceFilter }, [
      "id",
      "name",
      "agent_ids",
      "workspace_id"
    ]),
    show(kind),
    update(
      kind,
      "Change a team's name or agents; the agents are replaced as a whole. Example: parley team update <id> --agents <id>,<id>",
      {
        name: option("name", "The team's name"),
        agent_ids: itemsOption("agents", "The ids of its agents, separated by commas; an empty text for none")
      }
    )
  ])
)
