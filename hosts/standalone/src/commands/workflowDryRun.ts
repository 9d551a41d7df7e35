import { DryRunResource } from "@parley/core"
import { Console, Effect, Schema } from "effect"
import type { Resource } from "./AdminClient.js"
import {
  apiCommand,
  applicationOption,
  argument,
  type CommandContext,
  needed,
  option,
  workspaceOption
} from "./apiCommand.js"
import { CommandFailed } from "./CommandFailed.js"
import { byLines, readDefinition } from "./definitions/DefinitionFile.js"
import { dryRunText } from "./dryRunText.js"
import { exitCodes } from "./exitCodes.js"
import { printOne } from "./output.js"
import { given } from "./resource.js"
import { fieldsOf, readWorkflow } from "./workflowApply.js"
import { workflowPath } from "./workflowReference.js"

/** The fields of an event, as in `POST /events`. */
const eventFields = ["event", "contact_id", "identity", "data", "dedupe_key"] as const

/** `parley workflow dry-run`. */
export const dryRun = apiCommand(
  "dry-run",
  'Tell what a workflow would do with an event: every action is decided by what is stored now, and nothing is written, sent or called. Example: parley workflow dry-run order-shipped.yaml --event event.json Example: parley workflow dry-run <id> --contact <id> --data \'{"order":{"number":"1042"}}\'',
  {
    event: option("event", "A YAML or JSON file with the event: contact_id or identity, and data"),
    contact: option("contact", "The event's contact, unless the file has it"),
    data: option("data", "The event's data as JSON, unless the file has it"),
    app: applicationOption,
    workspace: workspaceOption,
    definition: argument("definition", "A YAML or JSON file; or a workflow's id or name")
  },
  ({ app, contact, data, definition, event, workspace }, tools) =>
    Effect.gen(function* () {
      const { client, json, target } = tools
      if (contact === null && event === null) {
        return yield* new CommandFailed({
          message: "Give the event's contact: --contact <id>, or --event <file>",
          code: exitCodes.misused
        })
      }
      const application_id = yield* needed("app", app, target)
      const file = /\.(ya?ml|json)$/i.test(definition) ? yield* readWorkflow(definition) : null
      const workflow =
        file === null
          ? yield* storedWorkflow(definition, workspace, tools)
          : { workspace_id: yield* needed("workspace", workspace, target), ...fieldsOf(file) }
      const {
        event: name,
        dedupe_key: _,
        ...happened
      } = event === null ? {} : (yield* readDefinition(event, eventFields)).content
      yield* refuseOther(name, workflow.trigger)
      const body = {
        ...workflow,
        application_id,
        ...happened,
        ...given({ contact_id: contact, data: data === null ? null : yield* parsed(data) })
      }
      const dryRunCall = client.call("POST", "/workflows/dry-run", body)
      const result = yield* file === null ? dryRunCall : Effect.mapError(dryRunCall, byLines(file))
      if (json) return yield* printOne(json, result)
      const read = yield* Effect.mapError(
        Schema.decodeUnknown(DryRunResource)(result),
        () => new CommandFailed({ message: "The host's answer has an unknown format: update this command." })
      )
      yield* Console.log(dryRunText(read))
    })
)

/** A workflow's present definition, with the fields that a dry run uses. */
const storedWorkflow = (
  workflow: string,
  workspace: string | null,
  tools: CommandContext
): Effect.Effect<Resource, CommandFailed> =>
  Effect.gen(function* () {
    const found = yield* tools.client.call("GET", yield* workflowPath({ workflow, workspace }, tools))
    const { actions, conditions, trigger, workspace_id } = found
    return { workspace_id, trigger, conditions, actions }
  })

/** Refuses an event with another name, which does not start the workflow. */
const refuseOther = (name: unknown, trigger: unknown): Effect.Effect<void, CommandFailed> => {
  const awaitedKey = typeof trigger === "object" && trigger !== null && "event" in trigger ? trigger.event : undefined
  return name === undefined || awaitedKey === undefined || name === awaitedKey
    ? Effect.void
    : new CommandFailed({ message: `The event ${name} does not start it: it listens for ${awaitedKey}.` })
}

const parsed = (text: string): Effect.Effect<unknown, CommandFailed> =>
  Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: () => new CommandFailed({ message: "--data must be JSON", code: exitCodes.misused })
  })
