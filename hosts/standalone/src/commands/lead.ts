import { Command } from "@effect/cli"
import { Effect } from "effect"
import { argument, leaf, limitOption, option, workspaceFilter } from "./leaf.js"
import { printList, printOne } from "./output.js"
import { idOf, pathTo, show } from "./resource.js"

const kind = { command: "lead", noun: "lead", path: "/leads" }

const list = leaf(
  "list",
  "List leads, newest first. Example: parley lead list --pipeline <id> --stage won",
  {
    limit: limitOption,
    contact: option("contact", "Only this contact's"),
    pipeline: option("pipeline", "Only those in this pipeline"),
    stage: option("stage", "Only those in the stage of this key; needs --pipeline"),
    workspace: workspaceFilter
  },
  ({ contact, limit, pipeline, stage, workspace }, { client, json }) =>
    Effect.flatMap(
      client.list(kind.path, {
        limit,
        contact_id: contact,
        pipeline_id: pipeline,
        stage,
        workspace_id: workspace
      }),
      (page) => printList(json, page, ["id", "title", "stage", "value", "currency", "contact_id", "updated_at"])
    )
)

const move = leaf(
  "move",
  "Move a lead to another stage of its pipeline. Example: parley lead move <id> won",
  { id: idOf(kind), stage: argument("stage", "The key of the stage, as parley pipeline list shows it") },
  ({ id, stage }, { client, json }) =>
    Effect.flatMap(client.call("PATCH", pathTo(kind, id), { stage }), (moved) => printOne(json, moved))
)

export const lead = Command.make("lead").pipe(
  Command.withDescription("Leads, contacts on their way through a pipeline"),
  Command.withSubcommands([list, show(kind), move])
)
