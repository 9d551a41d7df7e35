import { Command } from "@effect/cli"
import { argument, option, optionalChoice, workspaceFilter } from "./apiCommand.js"
import { create, list, show, update } from "./resource.js"

const kind = { command: "agent", noun: "agent", path: "/agents" }

export const agent = Command.make("agent").pipe(
  Command.withDescription("Agents, the people who answer customers"),
  Command.withSubcommands([
    create(kind, "create", 'Create an agent. Example: parley agent create "Grace Hopper" --email grace@acme.example', {
      name: argument("name", "The agent's name"),
      email: option("email", "The agent's email address")
    }),
    list(kind.path, "List agents, newest first. Example: parley agent list", { workspace_id: workspaceFilter }, [
      "id",
      "name",
      "email",
      "status",
      "workspace_id"
    ]),
    show(kind),
    update(kind, "Change an agent's name, email or status. Example: parley agent update <id> --status inactive", {
      name: option("name", "The agent's name"),
      email: option("email", "The agent's email address; an empty text removes it"),
      status: optionalChoice("status", ["active", "inactive"], "Conversations cannot be assigned to an inactive agent")
    })
  ])
)
