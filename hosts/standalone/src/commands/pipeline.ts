import { Command } from "@effect/cli"
import { Effect } from "effect"
import type { Resource } from "./AdminClient.js"
import { argument, itemsOf, leaf, limitOption, needed, option, workspaceFilter, workspaceOption } from "./leaf.js"
import { printList, printOne } from "./output.js"
import { show, update } from "./resource.js"

/** A stage from `key` or `key=Name`. */
const stageOf = (item: string) => {
  const [key = "", ...name] = item.split("=")
  return { key: key.trim(), name: name.join("=").trim() || key.trim() }
}

const kind = { command: "pipeline", noun: "pipeline", path: "/pipelines" }

/** For a table: of each stage its key. */
const keysOf = ({ stages }: Resource) => (stages as ReadonlyArray<Resource>).map(({ key }) => key)

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
  "List pipelines, newest first. Example: parley pipeline list",
  { limit: limitOption, workspace: workspaceFilter },
  ({ limit, workspace }, { client, json }) =>
    Effect.flatMap(client.list("/pipelines", { limit, workspace_id: workspace }), (page) =>
      printList(json, page, ["id", "name", ["stages", keysOf], "workspace_id"])
    )
)

const change = update(
  kind,
  'Change a pipeline\'s name or stages; the stages are replaced as a whole. Example: parley pipeline update <id> --stages "new=New,won=Won"',
  {
    name: option("name", "What to call it"),
    stages: option("stages", "Its stages in their order, separated by commas: a key each, or key=Name")
  },
  ({ name, stages }) => ({ name, stages: stages === null ? null : itemsOf(stages).map(stageOf) })
)

export const pipeline = Command.make("pipeline").pipe(
  Command.withDescription("Pipelines, the stages that leads move through"),
  Command.withSubcommands([create, list, show(kind), change])
)
