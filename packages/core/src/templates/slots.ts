import type { Template, TemplateStatus } from "./Template.js"

const slot = /\{\{\s*(\d{1,3})\s*\}\}/g

/** The names of a template's slots in order of position; one used twice counts once (decisions.md §7). */
export const slotNames = (body: string): ReadonlyArray<string> =>
  [...new Set([...body.matchAll(slot)].map((match) => Number(match[1])))].sort((one, other) => one - other).map(String)

/** The body with its slots filled, the first variable into the lowest slot; `names`: its {@link slotNames}. */
export const renderTemplate = (
  body: string,
  variables: ReadonlyArray<string>,
  names: ReadonlyArray<string> = slotNames(body)
): string => {
  return body.replace(slot, (_, position: string) => variables[names.indexOf(String(Number(position)))] ?? "")
}

/** The status of templates that may be sent. */
export const sendableStatus: TemplateStatus = "approved"

/** Whether it may be sent. */
export const isSendable = (template: Pick<Template, "status">): boolean => template.status === sendableStatus
