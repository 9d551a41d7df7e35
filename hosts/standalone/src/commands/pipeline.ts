import { Args, Command, Options } from "@effect/cli"
import type { Resource } from "./AdminClient.js"
import { argument, itemsOf, itemsOption, option, workspaceFilter } from "./apiCommand.js"
import { create, list, show, update } from "./resource.js"

/** A stage from `key` or `key=Name`. */
const stageOf = (item: string) => {
  const [key = "", ...name] = item.split("=")
  return { key: key.trim(), name: name.join("=").trim() || key.trim() }
}

const kind = { command: "pipeline", noun: "pipeline", path: "/pipelines" }

/** The keys of the stages, for a table. */
const keysOf = ({ stages }: Resource) => (stages as ReadonlyArray<Resource>).map(({ key }) => key)

const stages = "The stages in order, separated by commas, each as key or key=Name"

export const pipeline = Command.make("pipeline").pipe(
  Command.withDescription("Pipelines, the stages that leads move through"),
  Command.withSubcommands([
    create(
      kind,
      "create",
      'Create a pipeline; the first one is the default of its workspace. Example: parley pipeline create Sales "new=New,won=Won,lost=Lost"',
      {
        name: argument("name", "The pipeline's name"),
        stages: argument("stages", stages).pipe(Args.map((text) => itemsOf(text).map(stageOf)))
      }
    ),
    list(kind.path, "List pipelines, newest first. Example: parley pipeline list", { workspace_id: workspaceFilter }, [
      "id",
      "name",
      ["stages", keysOf],
      "workspace_id"
    ]),
    show(kind),
    update(
      kind,
      'Change a pipeline\'s name or stages; the stages are replaced as a whole. Example: parley pipeline update <id> --stages "new=New,won=Won"',
      {
        name: option("name", "The pipeline's name"),
        stages: itemsOption("stages", stages).pipe(Options.map((items) => items?.map(stageOf) ?? null))
      }
    )
  ])
)
