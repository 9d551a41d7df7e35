import { Command } from "@effect/cli"
import { RunResource, RunStatus } from "@parley/core"
import { Console, Effect, Schema } from "effect"
import type { Page, Resource } from "./AdminClient.js"
import { CommandFailed } from "./CommandFailed.js"
import { leaf, limitOption, option, optionalChoice, workspaceFilter } from "./leaf.js"
import { printList, printOne } from "./output.js"
import { idOf, pathTo } from "./resource.js"
import { runTrace } from "./runTrace.js"
import { workflowMeant, workflowPath } from "./workflowMeant.js"

const kind = { command: "run", noun: "run", path: "/workflow-runs" }

const filters = {
  limit: limitOption,
  contact: option("contact", "Only this contact's"),
  status: optionalChoice("status", RunStatus.literals, "Only those with this status")
}

const printRuns = (json: boolean, page: Page) =>
  printList(json, page, [
    "id",
    "status",
    ["EVENT", ({ event }: Resource) => (event as Resource).name],
    "contact_id",
    "created_at",
    "ended_at",
    "reason"
  ])

/** `parley workflow runs <workflow>`. */
export const runsOfWorkflow = leaf(
  "runs",
  'List a workflow\'s runs, newest first. Example: parley workflow runs <id> --status failed Example: parley workflow runs "Tell of shipping"',
  { ...filters, ...workflowMeant },
  ({ contact, limit, status, ...meant }, tools) =>
    Effect.gen(function* () {
      const path = `${yield* workflowPath(meant, tools)}/runs`
      yield* printRuns(tools.json, yield* tools.client.list(path, { limit, contact_id: contact, status }))
    })
)

const list = leaf(
  "list",
  "List the runs of all workflows, newest first. Example: parley run list --contact <id> Example: parley run list --workspace <id> --status failed",
  { ...filters, workspace: workspaceFilter },
  ({ contact, limit, status, workspace }, { client, json }) =>
    Effect.flatMap(client.list(kind.path, { limit, contact_id: contact, status, workspace_id: workspace }), (page) =>
      printRuns(json, page)
    )
)

const show = leaf(
  "show",
  "Show what a run did: a line for each action with when, outcome, how long and why, and what it waits for. Example: parley run show <id>",
  { id: idOf(kind) },
  ({ id }, { client, json }) =>
    Effect.gen(function* () {
      const run = yield* client.call("GET", pathTo(kind, id))
      if (json) return yield* printOne(json, run)
      const read = yield* Effect.mapError(
        Schema.decodeUnknown(RunResource)(run),
        () => new CommandFailed({ message: "The host answered in a way that this command does not know: update it." })
      )
      const { name } = yield* client.call("GET", `/workflows/${read.workflowId}`)
      yield* Console.log(runTrace(read, String(name)))
    })
)

const stop = leaf(
  "stop",
  "Stop a run: it carries out nothing more; what it did stays done. Example: parley run stop <id>",
  { id: idOf(kind) },
  ({ id }, { client, json }) =>
    Effect.gen(function* () {
      const run = yield* client.call("POST", `${pathTo(kind, id)}/stop`)
      yield* json
        ? printOne(json, run)
        : Console.log(`Stopped run ${run.id}: parley run show ${run.id} has what it did.`)
    })
)

export const run = Command.make("run").pipe(
  Command.withDescription("Runs of workflows: what each did, and what it waits for"),
  Command.withSubcommands([list, show, stop])
)
