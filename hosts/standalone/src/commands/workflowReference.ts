import { Effect } from "effect"
import type { AdminClient } from "./AdminClient.js"
import { argument, type CommandContext, option } from "./apiCommand.js"
import { CommandFailed } from "./CommandFailed.js"
import { idNamed } from "./idNamed.js"

const kind = { command: "workflow", noun: "workflow", path: "/workflows" }

/** The parameters that select a workflow. */
export const workflowReference = {
  workspace: option("workspace", "The workspace in which the name is looked up (default: the demo's, otherwise all)"),
  workflow: argument("workflow", "The workflow's id or name")
}

/** The path of the selected workflow. Fails if no workflow, or more than one, has the name. */
export const workflowPath = (
  { workflow, workspace }: { readonly workflow: string; readonly workspace: string | null },
  { client, target }: CommandContext
): Effect.Effect<string, CommandFailed> =>
  Effect.gen(function* () {
    const id = isId(workflow) ? workflow : yield* idByName(client, workspace ?? target.workspaceId, workflow)
    if (id !== null) return `/workflows/${id}`
    return yield* new CommandFailed({
      message: `No workflow has the name ${workflow}: parley workflow list shows the names.`
    })
  })

const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/**
 * The id of the workflow with this name in a workspace, or in any workspace if none is given; null if absent.
 */
export const idByName = (
  client: AdminClient,
  workspace: string | null,
  name: string
): Effect.Effect<string | null, CommandFailed> => idNamed(client, kind, workspace, name)
