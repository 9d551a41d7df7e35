import { Effect } from "effect"
import type { AdminClient } from "./AdminClient.js"
import { CommandFailed } from "./CommandFailed.js"
import { idNamed } from "./idNamed.js"
import { argument, option, type Tools } from "./leaf.js"

const kind = { command: "workflow", noun: "workflow", path: "/workflows" }

/** What says which workflow is meant. */
export const workflowMeant = {
  workspace: option("workspace", "Where its name is looked up; the demo's, else all, where it is left out"),
  workflow: argument("workflow", "The workflow's id, or its name")
}

/** Where the workflow is that is meant. Fails where none, or more than one, has that name. */
export const workflowPath = (
  { workflow, workspace }: { readonly workflow: string; readonly workspace: string | null },
  { client, target }: Tools
): Effect.Effect<string, CommandFailed> =>
  Effect.gen(function* () {
    const id = isId(workflow) ? workflow : yield* idByName(client, workspace ?? target.workspaceId, workflow)
    if (id !== null) return `/workflows/${id}`
    return yield* new CommandFailed({ message: `No workflow is called ${workflow}: parley workflow list has them.` })
  })

const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** The id of the workflow of this name in a workspace, in any where none is given; null where there is none. */
export const idByName = (
  client: AdminClient,
  workspace: string | null,
  name: string
): Effect.Effect<string | null, CommandFailed> => idNamed(client, kind, workspace, name)
