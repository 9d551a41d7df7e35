import { Command } from "@effect/cli"
import { RunResource, RunStatus } from "@parley/core"
import { Console, Effect, Schema } from "effect"
import type { Resource } from "./AdminClient.js"
import { apiCommand, limitOption, option, optionalChoice, workspaceFilter } from "./apiCommand.js"
import { CommandFailed } from "./CommandFailed.js"
import { type Column, printList, printOne, terminalWidth } from "./output.js"
import { idOf, list, pathTo } from "./resource.js"
import { runTrace } from "./runTrace.js"
import { workflowPath, workflowReference } from "./workflowReference.js"

const kind = { command: "run", noun: "run", path: "/workflow-runs" }

const filters = {
  contact_id: option("contact", "Only runs of this contact"),
  status: optionalChoice("status", RunStatus.literals, "Only runs with this status")
}

const columns: ReadonlyArray<Column> = [
  "id",
  "status",
  ["EVENT", ({ event }) => (event as Resource).name],
  "contact_id",
  "created_at",
  "ended_at",
  "reason"
]

/** `parley workflow runs <workflow>`. */
export const runsOfWorkflow = apiCommand(
  "runs",
  'List a workflow\'s runs, newest first. Example: parley workflow runs <id> --status failed Example: parley workflow runs "Tell of shipping"',
  { limit: limitOption, filters, ...workflowReference },
  ({ filters, limit, ...meant }, tools) =>
    Effect.gen(function* () {
      const path = `${yield* workflowPath(meant, tools)}/runs`
      yield* printList(tools.json, yield* tools.client.list(path, { limit, ...filters }), columns)
    })
)

const show = apiCommand(
  "show",
  "Show a run: a line for each action with its time, outcome, duration and reason, and what the run waits for. Example: parley run show <id>",
  { id: idOf(kind) },
  ({ id }, { client, json }) =>
    Effect.gen(function* () {
      const run = yield* client.call("GET", pathTo(kind, id))
      if (json) return yield* printOne(json, run)
      const read = yield* Effect.mapError(
        Schema.decodeUnknown(RunResource)(run),
        () => new CommandFailed({ message: "The host's answer has an unknown format: update this command." })
      )
      const { name } = yield* client.call("GET", `/workflows/${read.workflowId}`)
      yield* Console.log(runTrace(read, String(name), terminalWidth()))
    })
)

const stop = apiCommand(
  "stop",
  "Stop a run: no further action is carried out; completed ones stay. Example: parley run stop <id>",
  { id: idOf(kind) },
  ({ id }, { client, json }) =>
    Effect.gen(function* () {
      const run = yield* client.call("POST", `${pathTo(kind, id)}/stop`)
      yield* json
        ? printOne(json, run)
        : Console.log(`Stopped run ${run.id}: parley run show ${run.id} has what it did.`)
    })
)

const retry = apiCommand(
  "retry",
  "Try a failed run again, from the action that failed; a message is sent, and a webhook called, again. Example: parley run retry <id>",
  { id: idOf(kind) },
  ({ id }, { client, json }) =>
    Effect.gen(function* () {
      const run = yield* client.call("POST", `${pathTo(kind, id)}/retry`)
      yield* json
        ? printOne(json, run)
        : Console.log(`Run ${run.id} continues: parley run show ${run.id} has its state.`)
    })
)

export const run = Command.make("run").pipe(
  Command.withDescription("Runs of workflows: their actions, and what they wait for"),
  Command.withSubcommands([
    list(
      kind.path,
      "List the runs of all workflows, newest first. Example: parley run list --contact <id> Example: parley run list --workspace <id> --status failed",
      { ...filters, workspace_id: workspaceFilter },
      columns
    ),
    show,
    stop,
    retry
  ])
)
