import type { Resource } from "./AdminClient.js"
import { yamlText } from "./definitions/yamlText.js"

/** A workflow as a file for `workflow apply`, with its other fields in comments. */
export const workflowText = ({ actions, conditions, name, trigger, ...workflow }: Resource): string => {
  const definition = {
    name,
    trigger,
    ...(conditions === null ? {} : { conditions }),
    actions: Array.isArray(actions) ? actions.map(said) : []
  }
  return [
    `# ${workflow.id}, of workspace ${workflow.workspace_id}`,
    `# ${stateOf(workflow)}`,
    yamlText(definition)
  ].join("\n")
}

const stateOf = ({ has_unpublished_changes, published_version, status }: Resource): string => {
  if (status !== "published") return `${status}: no event starts it`
  const version = published_version === null ? "" : ` as version ${published_version}`
  return `published${version}${has_unpublished_changes === true ? ", and changed since" : ""}`
}

/** An action without fields that are null in the API's shape or have their defaults. */
const said = (action: Resource): Resource =>
  Object.fromEntries(
    Object.entries(action).filter(([field, value]) => value !== null && !(field === "on_error" && value === "stop"))
  )
