import type { Problems } from "../../errors/Refusal.js"
import { hasPlaceholder } from "../../workflows/placeholders.js"
import type { Definition } from "../../workflows/Workflow.js"

/**
 * Why a definition cannot be published whatever is in the workspace, by path: it does nothing, or calls a URL that may not be
 * called (decisions.md §12), or in which a placeholder would stay as it is. Of a definition that could not be read as a whole, what could.
 */
export const publishProblems = (
  { actions }: Partial<Definition>,
  urlRefusal: (url: string) => string | null
): Problems => {
  if (actions === undefined) return {}
  if (actions.length === 0) return { actions: ["must have at least one action"] }
  return Object.fromEntries(
    actions.flatMap((action, position) => {
      if (action.type !== "call_webhook") return []
      const problem = hasPlaceholder(action.url) ? unfilled : urlRefusal(action.url)
      return problem === null ? [] : [[`actions.${position}.url`, [problem]]]
    })
  )
}

const unfilled = "must have no placeholders: nothing is filled in in URLs; put it into the body"
