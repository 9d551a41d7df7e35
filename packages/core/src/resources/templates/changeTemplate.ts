import type { Decision } from "../../kernel/Decider.js"
import type { Template } from "../../model/Template.js"
import { changes, expect, set } from "../../ports/Changes.js"

/** The fields of a template that may change. The others identify it. */
export type TemplateValues = Partial<Pick<Template, "account" | "body" | "category" | "parts" | "status" | "statusAt">>

/** Updates a template. Writes nothing if no value differs. */
export const changeTemplate = (template: Template, values: TemplateValues): Decision<Template> => {
  const { id, version, workspaceId } = template
  const result = { ...template, ...values }
  const isUnchanged =
    result.account === template.account &&
    result.body === template.body &&
    result.category === template.category &&
    result.status === template.status &&
    result.statusAt === template.statusAt &&
    JSON.stringify(result.parts) === JSON.stringify(template.parts)
  if (isUnchanged) return { changes: null, result: template }
  return {
    changes: changes(workspaceId, {
      expects: [expect("templates", { id }, { version })],
      sets: [set("templates", { id }, values)]
    }),
    result: { ...result, version: version + 1 }
  }
}
