import { Command } from "@effect/cli"
import { Effect } from "effect"
import { apiCommand, argument, option, optionalChoice, workspaceFilter } from "./apiCommand.js"
import { printOne } from "./output.js"
import { readFileBytes } from "./readTextFile.js"
import { changed, create, idOf, list, pathTo, show } from "./resource.js"

const kind = { command: "agent", noun: "agent", path: "/agents" }

const update = apiCommand(
  "update",
  "Change an agent's name, email, avatar or status. Example: parley agent update <id> --status inactive Example: parley agent update <id> --avatar grace.png",
  {
    id: idOf(kind),
    name: option("name", "The agent's name"),
    email: option("email", "The agent's email address; an empty text removes it"),
    avatar: option(
      "avatar",
      "A PNG, JPEG, WebP or GIF file of at most 256 KiB, which customers see in web chat; an empty text removes it"
    ),
    status: optionalChoice("status", ["active", "inactive"], "Conversations cannot be assigned to an inactive agent")
  },
  ({ avatar, email, id, name, status }, { client, json }) =>
    Effect.gen(function* () {
      const image = avatar === null || avatar === "" ? avatar : (yield* readFileBytes(avatar)).toString("base64")
      const body = yield* changed(kind, { name, email, avatar: image, status })
      yield* printOne(json, yield* client.call("PATCH", pathTo(kind, id), body))
    })
)

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
    update
  ])
)
