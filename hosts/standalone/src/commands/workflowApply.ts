import { Args, Options } from "@effect/cli"
import { Console, Effect } from "effect"
import type { AdminClient, Resource } from "./AdminClient.js"
import type { CommandFailed } from "./CommandFailed.js"
import { byLines, type DefinitionFile, readDefinition } from "./definitions/DefinitionFile.js"
import { leaf, needed, option, workspaceOption } from "./leaf.js"
import { printOne } from "./output.js"
import { cell } from "./table.js"
import { idByName } from "./workflowMeant.js"

/** All that the definition of a workflow has. */
const fields = ["name", "trigger", "conditions", "actions"] as const

const fileArgument = Args.text({ name: "file" }).pipe(
  Args.withDescription("The definition: a YAML or JSON file with name, trigger, conditions and actions")
)

/** Reads the definition of a workflow. */
export const readWorkflow = (path: string): Effect.Effect<DefinitionFile, CommandFailed> => readDefinition(path, fields)

/** What a file says of each field; what it leaves out is nothing. */
export const saidBy = ({
  content: { actions = [], conditions = null, name = null, trigger = null }
}: DefinitionFile) => ({
  name,
  trigger,
  conditions,
  actions
})

const check = (client: AdminClient, workspace_id: string, file: DefinitionFile) =>
  Effect.mapError(client.call("POST", "/workflows/validate", { workspace_id, ...saidBy(file) }), byLines(file))

export const validate = leaf(
  "validate",
  "Find all that would keep a definition from being published, with its lines; nothing is written. Example: parley workflow validate order-shipped.yaml",
  { workspace: workspaceOption, file: fileArgument },
  ({ file: path, workspace }, { client, json, target }) =>
    Effect.gen(function* () {
      const workspace_id = yield* needed("workspace", workspace, target)
      const result = yield* check(client, workspace_id, yield* readWorkflow(path))
      yield* json ? printOne(json, result) : Console.log(`${path} is a workflow that can be published.`)
    })
)

export const apply = leaf(
  "apply",
  "Create the workflow that a file defines, or change the one of its name to be as the file says. Example: parley workflow apply order-shipped.yaml Example: parley workflow apply order-shipped.yaml --publish",
  {
    publish: Options.boolean("publish").pipe(
      Options.withDescription("Publish it too; nothing is written where that cannot be done")
    ),
    id: option("id", "Change this one, whatever it is called"),
    workspace: workspaceOption,
    file: fileArgument
  },
  ({ file: path, id, publish, workspace }, { client, json, target }) =>
    Effect.gen(function* () {
      const workspace_id = yield* needed("workspace", workspace, target)
      const file = yield* readWorkflow(path)
      if (publish) yield* check(client, workspace_id, file)
      const { name } = file.content
      const known = id ?? (typeof name === "string" ? yield* idByName(client, workspace_id, name) : null)
      const applied = yield* known === null ? created(client, workspace_id, file) : changed(client, known, file)
      const { told, workflow } =
        publish && isUnpublished(applied.workflow) ? yield* published(client, applied) : applied
      if (json) return yield* printOne(json, workflow)
      yield* Console.log(told.join("\n"))
      if (isUnpublished(workflow)) {
        yield* Console.error(`\nEvents do not start it as it is now before: parley workflow publish ${workflow.id}`)
      }
    })
)

/** A workflow, and what was done to it. */
interface Applied {
  readonly workflow: Resource
  readonly told: ReadonlyArray<string>
}

const created = (
  client: AdminClient,
  workspace_id: string,
  file: DefinitionFile
): Effect.Effect<Applied, CommandFailed> =>
  Effect.map(
    Effect.mapError(client.call("POST", "/workflows", { workspace_id, ...saidBy(file) }), byLines(file)),
    (workflow) => ({
      workflow,
      told: [
        `Created ${called(workflow)}.`,
        `The webhooks that it calls are signed with ${workflow.secret}, which is shown this once.`
      ]
    })
  )

const changed = (client: AdminClient, id: string, file: DefinitionFile): Effect.Effect<Applied, CommandFailed> =>
  Effect.gen(function* () {
    const path = `/workflows/${encodeURIComponent(id)}`
    const before = yield* client.call("GET", path)
    const workflow = yield* Effect.mapError(client.call("PATCH", path, saidBy(file)), byLines(file))
    const differing = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(workflow[field]))
    const words = differing.length === 0 ? "is as the file says" : `changed: ${differing.join(", ")}`
    return { workflow, told: [`${called(workflow)} ${words}.`] }
  })

const published = (client: AdminClient, { told, workflow }: Applied): Effect.Effect<Applied, CommandFailed> =>
  Effect.map(client.call("POST", `/workflows/${workflow.id}/publish`), (after) => ({
    // The secret is shown by its creation alone.
    workflow: { ...workflow, ...after },
    told: [...told, `Published as version ${after.published_version}.`]
  }))

const isUnpublished = ({ has_unpublished_changes, status }: Resource): boolean =>
  status !== "published" || has_unpublished_changes === true

const called = ({ id, name }: Resource): string => `${cell(name)} (${id})`
