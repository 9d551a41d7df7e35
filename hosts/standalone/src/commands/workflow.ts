import { Command } from "@effect/cli"
import { Effect } from "effect"
import { argument, leaf, limitOption, needed, option, workspaceFilter, workspaceOption } from "./leaf.js"
import { printList, printOne } from "./output.js"
import { idOf, pathTo, show, update } from "./resource.js"

const kind = { command: "workflow", noun: "workflow", path: "/workflows" }

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
  "List workflows, newest first. Example: parley workflow list",
  { limit: limitOption, workspace: workspaceFilter },
  ({ limit, workspace }, { client, json }) =>
    Effect.flatMap(client.list("/workflows", { limit, workspace_id: workspace }), (page) =>
      printList(json, page, ["id", "name", "status", "trigger"])
    )
)

const move = (name: "publish" | "unpublish", description: string) =>
  leaf(name, `${description}. Example: parley workflow ${name} <id>`, { id: idOf(kind) }, ({ id }, { client, json }) =>
    Effect.flatMap(client.call("POST", `${pathTo(kind, id)}/${name}`), (moved) => printOne(json, moved))
  )

const change = update(
  kind,
  "Change a workflow's name, or the event that starts it while it is not published. Example: parley workflow update <id> --name Shipping",
  {
    name: option("name", "What to call it"),
    event: option("event", "The name of the event that starts it, matched exactly")
  },
  ({ event, name }) => ({ name, trigger: event === null ? null : { type: "external_event", event } })
)

export const workflow = Command.make("workflow").pipe(
  Command.withDescription("Workflows, which business events start"),
  Command.withSubcommands([
    create,
    list,
    show(kind),
    change,
    move("publish", "Publish a workflow: from now on, events of its name count for it"),
    move("unpublish", "Unpublish a workflow: from now on, no event counts for it")
  ])
)
