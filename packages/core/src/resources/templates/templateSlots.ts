import type { MailParts, StoredParts, Template, TemplateCard, TemplateStatus } from "../../model/Template.js"
import { escapeHtml } from "../contacts/placeholders.js"

const numbered = /\{\{\s*(\d{1,3})\s*\}\}/g
const named = /\{\{\s*([a-z0-9_]{1,100})\s*\}\}/g

/** A text with slots. With `parts.named`, slots have names (docs/reference/templates.md#slots). */
type Slotted = Pick<Template, "body"> & { readonly parts?: StoredParts | null }

const slotOf = ({ parts }: Slotted) => (parts?.named === true ? named : numbered)

/** The distinct slot names of a template: numbers in ascending order, names in that of the text. */
export const slotNames = (template: Slotted): ReadonlyArray<string> => {
  const { html = null, subject = null } = template.parts?.mail ?? {}
  const texts = [template.body, subject ?? "", html ?? ""]
  const found = texts.flatMap((text) => [...text.matchAll(slotOf(template))])
  const names = [...new Set(found.map(([, name]) => `${name}`))]
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
): string => filled(template, template.body, variables, names)

/** Subject and HTML with their slots filled: values are text in both, also in HTML, and a subject stays one line. */
export const renderMail = (
  template: Slotted,
  variables: ReadonlyArray<string>,
  names: ReadonlyArray<string> = slotNames(template)
): MailParts => {
  const { html = null, subject = null } = template.parts?.mail ?? {}
  const lines = variables.map((value) => value.replace(/\s+/g, " "))
  return {
    subject: subject === null ? null : filled(template, subject, lines, names),
    html: html === null ? null : filled(template, html, variables.map(escapeHtml), names)
  }
}

const filled = (
  template: Slotted,
  text: string,
  variables: ReadonlyArray<string>,
  names: ReadonlyArray<string>
): string =>
  text.replace(
    slotOf(template),
    (_, name: string) => variables[names.indexOf(template.parts?.named === true ? name : String(Number(name)))] ?? ""
  )

/** Whether a text of a template's header or of the URL of a button has a slot. */
export const hasSlot = (text: string | null): boolean => text?.includes("{{") === true

/** The buttons for which each send gives a value, with their places in the template. */
export const valuedButtons = (parts: StoredParts | null): ReadonlyArray<ValuedButton> =>
  (parts?.buttons ?? []).flatMap(({ type, url }, index): ReadonlyArray<ValuedButton> => {
    if (type === "code") return [{ index, type }]
    return type === "url" && hasSlot(url) ? [{ index, type }] : []
  })

/** The buttons of a card for which each send gives a value, with their places in the card. */
export const valuedCardButtons = ({ buttons }: TemplateCard) =>
  buttons.flatMap(({ type, url }, index) =>
    type === "reply" || (type === "url" && hasSlot(url)) ? [{ index, type }] : []
  )

/** The text of a card as that of a template. */
export const textOfCard = (card: TemplateCard, parts: StoredParts): Slotted => ({ body: card.body ?? "", parts })

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
