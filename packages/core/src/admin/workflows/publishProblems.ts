import type { Problems } from "../../errors/Refusal.js"
import type { Definition } from "../../workflows/Workflow.js"

/**
 * Why a definition cannot be published whatever is in the workspace, by path: it does nothing, or calls a URL that may not be
 * called (decisions.md §12). Of a definition that could not be read as a whole, what could.
 */
export const publishProblems = (
  { actions }: Partial<Definition>,
  urlRefusal: (url: string) => string | null
): Problems => {
  if (actions === undefined) return {}
  if (actions.length === 0) return { actions: ["must have at least one action"] }
  return Object.fromEntries(
    actions.flatMap((action, position) => {
      const refusal = action.type === "call_webhook" ? urlRefusal(action.url) : null
      return refusal === null ? [] : [[`actions.${position}.url`, [refusal]]]
    })
  )
}
