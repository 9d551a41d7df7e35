import { Command } from "@effect/cli"
import { Effect } from "effect"
import { argument, leaf, limitOption, needed, option, workspaceOption } from "./leaf.js"
import { printList, printOne } from "./output.js"

const workflowId = argument("id", "The workflow's id, as parley workflow list shows it")

const create = leaf(
  "create",
  'Create a workflow as a draft. Example: parley workflow create "Tell of shipping" order.shipped',
  {
    name: argument("name", "What to call it"),
    event: argument("event", "The name of the event that starts it, matched exactly"),
    workspace: workspaceOption
  },
  ({ event, name, workspace }, { client, json, target }) =>
    Effect.gen(function* () {
      const workspace_id = yield* needed("workspace", workspace, target)
      const trigger = { type: "external_event", event }
      yield* printOne(json, yield* client.call("POST", "/workflows", { workspace_id, name, trigger }))
    })
)

const list = leaf(
  "list",
  "List workflows, newest first",
  { limit: limitOption, workspace: option("workspace", "Only this workspace's") },
  ({ limit, workspace }, { client, json }) =>
    Effect.flatMap(client.list("/workflows", { limit, workspace_id: workspace }), (page) =>
      printList(json, page, ["id", "name", "status", "trigger"])
    )
)

const move = (name: "publish" | "unpublish", description: string) =>
  leaf(name, description, { id: workflowId }, ({ id }, { client, json }) =>
    Effect.flatMap(client.call("POST", `/workflows/${encodeURIComponent(id)}/${name}`), (moved) =>
      printOne(json, moved)
    )
  )

export const workflow = Command.make("workflow").pipe(
  Command.withDescription("Workflows, which business events start"),
  Command.withSubcommands([
    create,
    list,
    move("publish", "Publish a workflow: from now on, events of its name count for it"),
    move("unpublish", "Unpublish a workflow: from now on, no event counts for it")
  ])
)
