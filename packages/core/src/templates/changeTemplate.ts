import type { Decision } from "../Decider.js"
import { changes, expect, set } from "../ports/Changes.js"
import type { Template } from "./Template.js"

/** What of a template may change; it is known by the rest. */
export type TemplateValues = Partial<Pick<Template, "body" | "category" | "status">>

/** Gives a template new values; those that it has already are not written. */
export const changeTemplate = (template: Template, values: TemplateValues): Decision<Template> => {
  const { id, version, workspaceId } = template
  const result = { ...template, ...values }
  const isAsItWas =
    result.body === template.body && result.category === template.category && result.status === template.status
  if (isAsItWas) return { changes: null, result: template }
  return {
    changes: changes(workspaceId, {
      expects: [expect("templates", { id }, { version })],
      sets: [set("templates", { id }, values)]
    }),
    result: { ...result, version: version + 1 }
  }
}
