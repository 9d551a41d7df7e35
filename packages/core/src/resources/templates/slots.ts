import type { Template, TemplateParts, TemplateStatus } from "../../model/Template.js"

const numbered = /\{\{\s*(\d{1,3})\s*\}\}/g
const named = /\{\{\s*([a-z0-9_]{1,100})\s*\}\}/g

/** A text with slots. With `parts.named`, slots have names (docs/reference/templates.md#slots). */
type Slotted = Pick<Template, "body"> & { readonly parts?: TemplateParts | null }

const slotOf = ({ parts }: Slotted) => (parts?.named === true ? named : numbered)

/** The distinct slot names of a template: numbers in ascending order, names in that of the text. */
export const slotNames = (template: Slotted): ReadonlyArray<string> => {
  const names = [...new Set([...template.body.matchAll(slotOf(template))].map(([, name]) => `${name}`))]
  if (template.parts?.named === true) return names
  return [...new Set(names.map(Number))].sort((one, other) => one - other).map(String)
}

/**
 * The body with its slots filled: the first variable goes into the first slot. `names`: result of {@link slotNames}
 * for this template.
 */
export const renderTemplate = (
  template: Slotted,
  variables: ReadonlyArray<string>,
  names: ReadonlyArray<string> = slotNames(template)
): string =>
  template.body.replace(
    slotOf(template),
    (_, name: string) => variables[names.indexOf(template.parts?.named === true ? name : String(Number(name)))] ?? ""
  )

/** Whether a text of a template's header or of the URL of a button has a slot. */
export const hasSlot = (text: string | null): boolean => text?.includes("{{") === true

/** The buttons for which each send gives a value, with their places in the template. */
export const valuedButtons = (parts: TemplateParts | null): ReadonlyArray<ValuedButton> =>
  (parts?.buttons ?? []).flatMap(({ type, url }, index): ReadonlyArray<ValuedButton> => {
    if (type === "code") return [{ index, type }]
    return type === "url" && hasSlot(url) ? [{ index, type }] : []
  })

/** A button for which each send gives a value. */
export interface ValuedButton {
  /** Its place in the template, from 0. */
  readonly index: number
  readonly type: "url" | "code"
}

/** The status of sendable templates. */
export const sendableStatus: TemplateStatus = "approved"

/** Whether the template may be sent. */
export const isSendable = (template: Pick<Template, "status">): boolean => template.status === sendableStatus
