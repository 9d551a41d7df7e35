import type { Template, TemplateStatus } from "../../model/Template.js"

const slot = /\{\{\s*(\d{1,3})\s*\}\}/g

/** The distinct slot names of a template in ascending order of position (docs/reference/templates.md#slots). */
export const slotNames = (body: string): ReadonlyArray<string> =>
  [...new Set([...body.matchAll(slot)].map((match) => Number(match[1])))].sort((one, other) => one - other).map(String)

/**
 * The body with its slots filled: the first variable goes into the lowest slot. `names`: result of {@link slotNames}
 * for this body.
 */
export const renderTemplate = (
  body: string,
  variables: ReadonlyArray<string>,
  names: ReadonlyArray<string> = slotNames(body)
): string => {
  return body.replace(slot, (_, position: string) => variables[names.indexOf(String(Number(position)))] ?? "")
}

/** The status of sendable templates. */
export const sendableStatus: TemplateStatus = "approved"

/** Whether the template may be sent. */
export const isSendable = (template: Pick<Template, "status">): boolean => template.status === sendableStatus
