import { Command } from "@effect/cli"
import { Effect } from "effect"
import { apiCommand, argument, option, workspaceFilter } from "./apiCommand.js"
import { printOne } from "./output.js"
import { idOf, list, pathTo, show } from "./resource.js"

const kind = { command: "lead", noun: "lead", path: "/leads" }

const move = apiCommand(
  "move",
  "Move a lead to another stage of its pipeline. Example: parley lead move <id> won",
  { id: idOf(kind), stage: argument("stage", "The key of the stage, from parley pipeline list") },
  ({ id, stage }, { client, json }) =>
    Effect.flatMap(client.call("PATCH", pathTo(kind, id), { stage }), (moved) => printOne(json, moved))
)

export const lead = Command.make("lead").pipe(
  Command.withDescription("Leads, which move through the stages of a pipeline"),
  Command.withSubcommands([
    list(
      kind.path,
      "List leads, newest first. Example: parley lead list --pipeline <id> --stage won",
      {
        contact_id: option("contact", "Only leads of this contact"),
        pipeline_id: option("pipeline", "Only leads in this pipeline"),
        stage: option("stage", "Only leads in the stage with this key; requires --pipeline"),
        workspace_id: workspaceFilter
      },
      ["id", "title", "stage", "value", "currency", "contact_id", "updated_at"]
    ),
    show(kind),
    move
  ])
)
