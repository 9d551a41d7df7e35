import { Args, Command, Options } from "@effect/cli"
import { Console, Effect } from "effect"
import type { Resource } from "./AdminClient.js"
import { apiCommand, argument, limitOption, option, workspaceFilter } from "./apiCommand.js"
import { printList, printOne } from "./output.js"
import { create, list, update } from "./resource.js"
import { runsOfWorkflow } from "./run.js"
import { apply, validate } from "./workflowApply.js"
import { dryRun } from "./workflowDryRun.js"
import { workflowPath, workflowReference } from "./workflowReference.js"
import { workflowText } from "./workflowText.js"

const kind = { command: "workflow", noun: "workflow", path: "/workflows" }

const show = apiCommand(
  "show",
  'Show a workflow as a file that parley workflow apply takes. Example: parley workflow show "Tell of shipping" Example: parley workflow show <id> --json',
  workflowReference,
  (meant, tools) =>
    Effect.gen(function* () {
      const workflow = yield* tools.client.call("GET", yield* workflowPath(meant, tools))
      yield* tools.json ? printOne(true, workflow) : Console.log(workflowText(workflow))
    })
)

const triggerOf = (event: string) => ({ type: "external_event", event })

const event = "The name of the event that starts it, matched exactly"

/** A command that changes one workflow and prints it. */
const act = (name: string, description: string, fields: ReadonlyArray<string>) =>
  apiCommand(name, `${description}. Example: parley workflow ${name} <id>`, workflowReference, (meant, tools) =>
    Effect.gen(function* () {
      const workflow = yield* tools.client.call("POST", `${yield* workflowPath(meant, tools)}/${name}`)
      yield* printOne(tools.json, tools.json ? workflow : selected(workflow, fields))
    })
  )

const selected = (resource: Resource, fields: ReadonlyArray<string>): Resource =>
  Object.fromEntries(fields.map((field) => [field, resource[field]]))

const versions = apiCommand(
  "versions",
  "List the published versions of a workflow, newest first; --json includes the definitions. Example: parley workflow versions <id>",
  { limit: limitOption, ...workflowReference },
  ({ limit, ...meant }, tools) =>
    Effect.gen(function* () {
      const page = yield* tools.client.list(`${yield* workflowPath(meant, tools)}/versions`, { limit })
      const actions = ({ actions }: Resource) => (Array.isArray(actions) ? actions.map(({ type }) => type) : [])
      yield* printList(tools.json, page, ["number", "created_at", "id", ["ACTIONS", actions]])
    })
)

export const workflow = Command.make("workflow").pipe(
  Command.withDescription("Workflows, which are started by business events"),
  Command.withSubcommands([
    apply,
    validate,
    create(
      kind,
      "create",
      'Create a workflow as a draft that does nothing yet; parley workflow apply makes one from a file. Example: parley workflow create "Tell of shipping" order.shipped',
      {
        name: argument("name", "The workflow's name"),
        trigger: argument("event", event).pipe(Args.map(triggerOf))
      }
    ),
    list(kind.path, "List workflows, newest first. Example: parley workflow list", { workspace_id: workspaceFilter }, [
      "id",
      "name",
      "status",
      "trigger",
      "published_version",
      "has_unpublished_changes"
    ]),
    show,
    update(
      kind,
      "Change a workflow's name, or the event that starts it while the workflow is not published. Example: parley workflow update <id> --name Shipping",
      {
        name: option("name", "The workflow's name"),
        trigger: option("event", event).pipe(Options.map((name) => (name === null ? null : triggerOf(name))))
      }
    ),
    act("publish", "Publish a workflow's present definition: events of its name start it from now on", [
      "id",
      "name",
      "status",
      "published_version"
    ]),
    act("unpublish", "Unpublish a workflow: no event starts it; present runs continue", ["id", "name", "status"]),
    act("rotate-secret", "Replace the secret that signs the workflow's webhooks; it is shown only once", [
      "id",
      "name",
      "secret"
    ]),
    versions,
    runsOfWorkflow,
    dryRun
  ])
)
