import { Command } from "@effect/cli"
import { Console, Effect } from "effect"
import type { Resource } from "./AdminClient.js"
import { argument, leaf, limitOption, needed, option, workspaceFilter, workspaceOption } from "./leaf.js"
import { printList, printOne } from "./output.js"
import { update } from "./resource.js"
import { runsOfWorkflow } from "./run.js"
import { apply, validate } from "./workflowApply.js"
import { dryRun } from "./workflowDryRun.js"
import { workflowMeant, workflowPath } from "./workflowMeant.js"
import { workflowText } from "./workflowText.js"

const kind = { command: "workflow", noun: "workflow", path: "/workflows" }

const create = leaf(
  "create",
  'Create a workflow as a draft that does nothing yet; parley workflow apply makes one from a file. Example: parley workflow create "Tell of shipping" order.shipped',
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
      printList(json, page, ["id", "name", "status", "trigger", "published_version", "has_unpublished_changes"])
    )
)

const show = leaf(
  "show",
  'Show a workflow as a file that parley workflow apply takes. Example: parley workflow show "Tell of shipping" Example: parley workflow show <id> --json',
  workflowMeant,
  (meant, tools) =>
    Effect.gen(function* () {
      const workflow = yield* tools.client.call("GET", yield* workflowPath(meant, tools))
      yield* tools.json ? printOne(true, workflow) : Console.log(workflowText(workflow))
    })
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

/** A command that does something with one workflow, and shows what is to be known of it then. */
const act = (name: string, description: string, fields: ReadonlyArray<string>) =>
  leaf(name, `${description}. Example: parley workflow ${name} <id>`, workflowMeant, (meant, tools) =>
    Effect.gen(function* () {
      const workflow = yield* tools.client.call("POST", `${yield* workflowPath(meant, tools)}/${name}`)
      yield* printOne(tools.json, tools.json ? workflow : chosen(workflow, fields))
    })
  )

const chosen = (resource: Resource, fields: ReadonlyArray<string>): Resource =>
  Object.fromEntries(fields.map((field) => [field, resource[field]]))

const versions = leaf(
  "versions",
  "List what a workflow was published as, newest first; --json has the definitions. Example: parley workflow versions <id>",
  { limit: limitOption, ...workflowMeant },
  ({ limit, ...meant }, tools) =>
    Effect.gen(function* () {
      const page = yield* tools.client.list(`${yield* workflowPath(meant, tools)}/versions`, { limit })
      const actions = ({ actions }: Resource) => (Array.isArray(actions) ? actions.map(({ type }) => type) : [])
      yield* printList(tools.json, page, ["number", "created_at", "id", ["ACTIONS", actions]])
    })
)

export const workflow = Command.make("workflow").pipe(
  Command.withDescription("Workflows, which business events start"),
  Command.withSubcommands([
    apply,
    validate,
    create,
    list,
    show,
    change,
    act("publish", "Publish a workflow as it is now: from now on, events of its name start it", [
      "id",
      "name",
      "status",
      "published_version"
    ]),
    act("unpublish", "Unpublish a workflow: no event starts it; runs that began go on", ["id", "name", "status"]),
    act("rotate-secret", "Replace the secret that the webhooks it calls are signed with; it is shown this once", [
      "id",
      "name",
      "secret"
    ]),
    versions,
    runsOfWorkflow,
    dryRun
  ])
)
