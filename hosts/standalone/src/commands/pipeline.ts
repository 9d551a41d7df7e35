import { Command } from "@effect/cli"
import { Effect } from "effect"
import type { Resource } from "./AdminClient.js"
import { argument, itemsOf, leaf, limitOption, needed, option, workspaceOption } from "./leaf.js"
import { printList, printOne } from "./output.js"

/** A stage from `key` or `key=Name`. */
const stageOf = (item: string) => {
  const [key = "", ...name] = item.split("=")
  return { key: key.trim(), name: name.join("=").trim() || key.trim() }
}

/** For a table: of each stage its key. */
const withKeys = (pipeline: Resource): Resource => ({
  ...pipeline,
  stages: (pipeline.stages as ReadonlyArray<Resource>).map(({ key }) => key)
})

const create = leaf(
  "create",
  'Create a pipeline; the first one is the default of its workspace. Example: parley pipeline create Sales "new=New,won=Won,lost=Lost"',
  {
    name: argument("name", "What to call it"),
    stages: argument("stages", "Its stages in their order, separated by commas: a key each, or key=Name"),
    workspace: workspaceOption
  },
  ({ name, stages, workspace }, { client, json, target }) =>
    Effect.gen(function* () {
      const workspace_id = yield* needed("workspace", workspace, target)
      const input = { workspace_id, name, stages: itemsOf(stages).map(stageOf) }
      yield* printOne(json, yield* client.call("POST", "/pipelines", input))
    })
)

const list = leaf(
  "list",
  "List pipelines, newest first",
  { limit: limitOption, workspace: option("workspace", "Only this workspace's") },
  ({ limit, workspace }, { client, json }) =>
    Effect.flatMap(client.list("/pipelines", { limit, workspace_id: workspace }), (page) =>
      printList(json, json ? page : { ...page, rows: page.rows.map(withKeys) }, [
        "id",
        "name",
        "stages",
        "workspace_id"
      ])
    )
)

export const pipeline = Command.make("pipeline").pipe(
  Command.withDescription("Pipelines, the stages that leads move through"),
  Command.withSubcommands([create, list])
)
