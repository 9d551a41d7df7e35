import type { Problems } from "../../errors/Refusal.js"
import type { Definition } from "../../model/Workflow.js"
import { hasPlaceholder } from "../../resources/contacts/placeholders.js"

/**
 * Problems of a definition that do not depend on the workspace, by path: no actions, a refused URL
 * (docs/reference/webhooks.md#address-rules), or a placeholder in a URL. Checks the readable part of a definition.
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
