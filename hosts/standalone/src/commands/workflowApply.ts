import { Args, Options } from "@effect/cli"
import { Console, Effect } from "effect"
import type { AdminClient, Resource } from "./AdminClient.js"
import { apiCommand, needed, option, workspaceOption } from "./apiCommand.js"
import type { CommandFailed } from "./CommandFailed.js"
import { byLines, type DefinitionFile, readDefinition } from "./definitions/DefinitionFile.js"
import { printOne } from "./output.js"
import { cell } from "./table.js"
import { idByName } from "./workflowReference.js"

/** The fields of a workflow's definition. */
const fields = ["name", "trigger", "conditions", "actions"] as const

const fileArgument = Args.text({ name: "file" }).pipe(
  Args.withDescription("The definition: a YAML or JSON file with name, trigger, conditions and actions")
)

/** Reads the definition of a workflow. */
export const readWorkflow = (path: string): Effect.Effect<DefinitionFile, CommandFailed> => readDefinition(path, fields)

/** The values of a definition's fields from a file; absent fields are empty. */
export const fieldsOf = ({
  content: { actions = [], conditions = null, name = null, trigger = null }
}: DefinitionFile) => ({
  name,
  trigger,
  conditions,
  actions
})

const check = (client: AdminClient, workspace_id: string, file: DefinitionFile) =>
  Effect.mapError(client.call("POST", "/workflows/validate", { workspace_id, ...fieldsOf(file) }), byLines(file))

export const validate = apiCommand(
  "validate",
  "Find everything that prevents a definition from being published, with line numbers; nothing is written. Example: parley workflow validate order-shipped.yaml",
  { workspace: workspaceOption, file: fileArgument },
  ({ file: path, workspace }, { client, json, target }) =>
    Effect.gen(function* () {
      const workspace_id = yield* needed("workspace", workspace, target)
      const result = yield* check(client, workspace_id, yield* readWorkflow(path))
      yield* json ? printOne(json, result) : Console.log(`${path} is a workflow that can be published.`)
    })
)

export const apply = apiCommand(
  "apply",
  "Create or update the workflow with the name in the file. Example: parley workflow apply order-shipped.yaml Example: parley workflow apply order-shipped.yaml --publish",
  {
    publish: Options.boolean("publish").pipe(
      Options.withDescription("Publish it too; if it cannot be published, nothing is written")
    ),
    id: option("id", "Update the workflow with this id, whatever its name is"),
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
      const { report, workflow } =
        publish && isUnpublished(applied.workflow) ? yield* published(client, applied) : applied
      if (json) return yield* printOne(json, workflow)
      yield* Console.log(report.join("\n"))
      if (isUnpublished(workflow)) {
        yield* Console.error(`\nEvents do not start it as it is now before: parley workflow publish ${workflow.id}`)
      }
    })
)

/** A workflow and the changes made to it. */
interface Applied {
  readonly workflow: Resource
  readonly report: ReadonlyArray<string>
}

const created = (
  client: AdminClient,
  workspace_id: string,
  file: DefinitionFile
): Effect.Effect<Applied, CommandFailed> =>
  Effect.map(
    Effect.mapError(client.call("POST", "/workflows", { workspace_id, ...fieldsOf(file) }), byLines(file)),
    (workflow) => ({
      workflow,
      report: [
        `Created ${called(workflow)}.`,
        `The webhooks that it calls are signed with ${workflow.secret}, which is shown this once.`
      ]
    })
  )

const changed = (client: AdminClient, id: string, file: DefinitionFile): Effect.Effect<Applied, CommandFailed> =>
  Effect.gen(function* () {
    const path = `/workflows/${encodeURIComponent(id)}`
    const before = yield* client.call("GET", path)
    const workflow = yield* Effect.mapError(client.call("PATCH", path, fieldsOf(file)), byLines(file))
    const differing = fields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(workflow[field]))
    const message = differing.length === 0 ? "is as the file says" : `changed: ${differing.join(", ")}`
    return { workflow, report: [`${called(workflow)} ${message}.`] }
  })

const published = (client: AdminClient, { report, workflow }: Applied): Effect.Effect<Applied, CommandFailed> =>
  Effect.map(client.call("POST", `/workflows/${workflow.id}/publish`), (after) => ({
    // Only the creation returns the secret.
    workflow: { ...workflow, ...after },
    report: [...report, `Published as version ${after.published_version}.`]
  }))

const isUnpublished = ({ has_unpublished_changes, status }: Resource): boolean =>
  status !== "published" || has_unpublished_changes === true

const called = ({ id, name }: Resource): string => `${cell(name)} (${id})`
