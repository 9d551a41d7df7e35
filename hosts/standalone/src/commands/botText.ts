import type { Resource } from "./AdminClient.js"
import { yamlText } from "./definitions/yamlText.js"

/** A bot as a file for `bot apply`, with its other fields in comments. */
export const botText = ({
  greeting,
  id,
  name,
  start,
  status,
  steps,
  time_out,
  time_out_text,
  workspace_id
}: Resource): string =>
  [
    `# ${id}, of workspace ${workspace_id}`,
    `# ${status}${status === "active" ? "" : ": nothing starts it"}`,
    yamlText(said({ name, start, greeting, steps, time_out, time_out_text }))
  ].join("\n")

/** Removes fields that are null in the API's shape. */
const said = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(said)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([field, inner]) => [field, said(inner)])
  )
}
