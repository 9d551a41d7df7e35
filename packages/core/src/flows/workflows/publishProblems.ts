import type { Problems } from "../../errors/Refusal.js"
import type { SendMessage } from "../../model/Action.js"
import type { Definition } from "../../model/Workflow.js"
import { hasPlaceholder } from "../../resources/contacts/placeholders.js"

/**
 * Problems of a definition that do not depend on the workspace, by path: no actions, a refused URL of a webhook or a
 * file (docs/reference/webhooks.md#address-rules), or a placeholder in the URL of a webhook. Checks the readable part
 * of a definition; the URL of a file with a placeholder is checked when it is sent.
 */
export const publishProblems = (
  { actions }: Partial<Definition>,
  urlRefusal: (url: string) => string | null
): Problems => {
  if (actions === undefined) return {}
  if (actions.length === 0) return { actions: ["must have at least one action"] }
  return Object.fromEntries(
    actions.flatMap((action, position) => {
      if (action.type === "send_message") {
        return filesOf(action).flatMap(({ url }, index) => {
          const problem = hasPlaceholder(url) ? null : urlRefusal(url)
          return problem === null ? [] : [[`actions.${position}.attachments.${index}.url`, [problem]]]
        })
      }
      if (action.type !== "call_webhook") return []
      const problem = hasPlaceholder(action.url) ? unfilled : urlRefusal(action.url)
      return problem === null ? [] : [[`actions.${position}.url`, [problem]]]
    })
  )
}

const filesOf = ({ content }: SendMessage) => ("files" in content ? (content.files ?? []) : [])

const unfilled = "must have no placeholders: nothing is filled in in URLs; put it into the body"
