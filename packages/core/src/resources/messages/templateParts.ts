import type { Problems } from "../../errors/Refusal.js"
import type { HeaderFileLimits } from "../../model/Channel.js"
import type { Attachment } from "../../model/Message.js"
import type { CardValues, ContentOf, ProductValues } from "../../model/MessageContent.js"
import type { StoredParts, Template, TemplateCard } from "../../model/Template.js"
import { isKeptType, unknownContentType } from "../attachments/describeFile.js"
import {
  hasSlot,
  renderTemplate,
  slotNames,
  textOfCard,
  valuedButtons,
  valuedCardButtons
} from "../templates/templateSlots.js"

/** The readable fields of a template message. */
export interface TemplateFields {
  readonly template?: string | null
  readonly language?: string | null
  readonly variables?: ReadonlyArray<string> | null
  readonly headerVariable?: string | null
  readonly buttonVariables?: ReadonlyArray<string> | null
  readonly cards?: ReadonlyArray<CardValues> | null
  readonly products?: ProductValues | null
}

/** The files that a send gives. */
interface HeaderFiles {
  /** Undefined if the decoder has already reported the problem. */
  readonly count: number | undefined
  /** Without those that have problems of their own. */
  readonly files: ReadonlyArray<HeaderFile>
  /** Those of the connection. */
  readonly limits: HeaderFileLimits | undefined
}

type HeaderFile = Pick<Attachment, "type" | "contentType"> &
  ({ readonly url: string } | { readonly upload: { readonly size: number } })

/** The validation message of a list with another number of items. */
export const exactly = (count: number, part: string) => `must have exactly ${count} items, one for each ${part}`

/** Problems of what a send gives for the parts of a template around its body (docs/reference/templates.md#parts). */
export const partProblems = (
  parts: Template["parts"],
  { buttonVariables, cards, headerVariable, products }: TemplateFields,
  files: HeaderFiles
): Problems => {
  const problems: { [field: string]: ReadonlyArray<string> } = {}
  const header = parts?.header ?? null
  const buttons = valuedButtons(parts)
  if (hasSlot(header?.text ?? null)) {
    if (headerVariable === null) problems.header_variable = ["is required: the header of this template has a slot"]
  } else if (headerVariable != null) problems.header_variable = ["must be left out: the header has no slot"]
  if (buttonVariables !== undefined && (buttonVariables ?? []).length !== buttons.length) {
    problems.button_variables = [exactly(buttons.length, "button with a slot or a code")]
  }
  if (cards !== undefined) Object.assign(problems, cardProblems(parts, cards))
  if (products !== undefined) Object.assign(problems, productProblems(parts, products))
  Object.assign(problems, headerFileProblems(parts, files))
  return problems
}

type HeaderFileKind = keyof HeaderFileLimits

/** The kinds of the files that a send gives: that of the header, or those of the cards. */
const fileKinds = (parts: Template["parts"]): ReadonlyArray<HeaderFileKind> => {
  const header = parts?.header?.type
  return (
    parts?.cards?.map((card) => card.header).filter((type) => type !== "product") ??
    (header === undefined || header === "text" ? [] : [header])
  )
}

/** Whether the type of a file is known only once it was fetched. */
const isUnknown = (file: HeaderFile): boolean => file.contentType === unknownContentType && "url" in file

/** The files of a send. Those of an unknown type count as the kind that the template has, until they are fetched. */
export const headerFiles = <File extends HeaderFile>(
  parts: Template["parts"],
  files: ReadonlyArray<File>
): ReadonlyArray<File> => {
  const kinds = fileKinds(parts)
  return files.map((file, i) => (isUnknown(file) ? { ...file, type: kinds[i] ?? file.type } : file))
}

/** Why a file cannot be in a header of this kind; null if it can. */
export const headerFileProblem = (
  kind: HeaderFileKind,
  { contentType, type, size = 0 }: Pick<Attachment, "contentType" | "type"> & { readonly size?: number },
  limits: HeaderFileLimits | undefined
): string | null => {
  const { bytes = size, types = null } = limits?.[kind] ?? {}
  if (type !== kind) return `must be the type of the header: ${kind}`
  if (!isKeptType(types, contentType)) return `must be ${types?.join(" or ")} in a header of this channel`
  return size > bytes ? `has ${size} bytes and must have at most ${bytes} in a header of this channel` : null
}

/** Problems of the files for the header of a template or for those of its cards. */
const headerFileProblems = (parts: Template["parts"], { count, files, limits }: HeaderFiles): Problems => {
  if (count === undefined) return {}
  const header = parts?.header?.type
  const cards = parts?.cards
  const types = fileKinds(parts)
  if (count !== types.length) {
    if (cards !== undefined && types.length === 0) return { attachments: ["must be left out: the cards have no files"] }
    if (cards !== undefined) {
      return { attachments: [`must have exactly ${types.length} items: the files of the cards, in their order`] }
    }
    return {
      attachments: [
        types.length === 0
          ? "must be left out: the header of this template takes no file"
          : `must have exactly one item: the ${header} of the header`
      ]
    }
  }
  // A file that has problems of its own is left out of the list.
  if (files.length < count) return {}
  return Object.fromEntries(
    files.flatMap((file, i) => {
      const kind = types[i]
      const size = "upload" in file ? { size: file.upload.size } : {}
      const problem =
        kind === undefined || isUnknown(file) ? null : headerFileProblem(kind, { ...file, ...size }, limits)
      return problem === null
        ? []
        : [[`attachments.${i}.${"upload" in file ? "attachment_id" : "content_type"}`, [problem]]]
    })
  )
}

/** The values given for the cards of a template. A template whose cards take none may be sent without them. */
const givenCards = (parts: Template["parts"], cards: TemplateFields["cards"]): ReadonlyArray<CardValues> =>
  cards ?? (parts?.cards ?? []).map(() => ({ product: null, variables: null, buttonVariables: null }))

const showsProducts = (cards: ReadonlyArray<TemplateCard>): boolean => cards.some(({ header }) => header === "product")

/** The template's card for each one of a send. Cards of products are alike, and a send chooses their number. */
const sentCards = (
  cards: ReadonlyArray<TemplateCard>,
  given: ReadonlyArray<CardValues>
): ReadonlyArray<TemplateCard> => {
  const last = cards.at(-1)
  return last === undefined || !showsProducts(cards) ? cards : given.map((_, i) => cards[i] ?? last)
}

const cardProblems = (parts: Template["parts"], given: TemplateFields["cards"]): Problems => {
  const cards = parts?.cards ?? []
  const values = givenCards(parts, given)
  if (parts === null || cards.length === 0) {
    return values.length === 0 ? {} : { cards: ["must be left out: this template has no cards"] }
  }
  if (showsProducts(cards)) {
    if (given == null || values.length < 2) return { cards: ["must have 2 to 10 items: the cards of the products"] }
  } else if (values.length !== cards.length) return { cards: [exactly(cards.length, "card")] }
  const problems: { [field: string]: ReadonlyArray<string> } = {}
  for (const [i, card] of sentCards(cards, values).entries()) {
    const product = values[i]?.product ?? null
    if (card.header === "product" && product === null) {
      problems[`cards.${i}.product`] = ["is required: the card shows a product"]
    } else if (card.header !== "product" && product !== null) {
      problems[`cards.${i}.product`] = ["must be left out: the card shows a file"]
    }
    const slots = slotNames(textOfCard(card, parts)).length
    const buttons = valuedCardButtons(card).length
    if ((values[i]?.variables?.length ?? 0) !== slots) problems[`cards.${i}.variables`] = [exactly(slots, "slot")]
    if ((values[i]?.buttonVariables?.length ?? 0) !== buttons) {
      problems[`cards.${i}.button_variables`] = [exactly(buttons, "reply button and each URL with a slot")]
    }
  }
  return problems
}

/** Products that a button shows at most, in all sections together. */
const maxProducts = 30

/** The button that shows products or the catalogue, with its place in the template. */
const productButton = (parts: Template["parts"]) =>
  (parts?.buttons ?? []).flatMap(({ type }, index) =>
    type === "products" || type === "catalog" ? [{ index, type }] : []
  )[0]

const productProblems = (parts: Template["parts"], given: TemplateFields["products"]): Problems => {
  const button = productButton(parts)
  const { sections = null, thumbnail = null } = given ?? {}
  if (button === undefined) return given == null ? {} : { products: ["must be left out: no button shows products"] }
  if (button.type === "catalog") {
    if (given == null) return {}
    if (sections !== null) return { "products.sections": ["must be left out: the button opens the whole catalogue"] }
    return thumbnail === null ? { "products.thumbnail": ["is required"] } : {}
  }
  if (sections === null) return { "products.sections": ["is required: a button of this template shows products"] }
  const problems: { [field: string]: ReadonlyArray<string> } = {}
  if (sections.flatMap(({ items }) => items).length > maxProducts) {
    problems["products.sections"] = [`must have at most ${maxProducts} products together`]
  }
  for (const [i, { title }] of sections.entries()) {
    if (title === null && sections.length > 1)
      problems[`products.sections.${i}.title`] = ["is required: there are several sections"]
  }
  return problems
}

/** The texts of the cards, filled. */
export const renderCards = (parts: Template["parts"], { cards }: TemplateFields): ReadonlyArray<string> => {
  const given = givenCards(parts, cards)
  return parts === null
    ? []
    : sentCards(parts.cards ?? [], given).flatMap((card, i) =>
        card.body === null ? [] : [renderTemplate(textOfCard(card, parts), given[i]?.variables ?? [])]
      )
}

const cardsContent = (parts: StoredParts, { cards }: TemplateFields): Pick<ContentOf<"template">, "cards"> => {
  const given = givenCards(parts, cards)
  if (parts.cards === undefined) return {}
  return {
    cards: sentCards(parts.cards, given).map((card, i) => {
      const slots = slotNames(textOfCard(card, parts))
      const product = given[i]?.product ?? null
      return {
        ...(product === null ? {} : { product }),
        variables: given[i]?.variables ?? [],
        names: parts.named && slots.length > 0 ? slots : null,
        buttons: valuedCardButtons(card).map((button, n) => ({
          ...button,
          value: given[i]?.buttonVariables?.[n] ?? ""
        }))
      }
    })
  }
}

const productsContent = (parts: StoredParts, { products }: TemplateFields): Pick<ContentOf<"template">, "products"> => {
  const button = productButton(parts)
  if (button === undefined || products == null) return {}
  const sections = products.sections ?? []
  const thumbnail = products.thumbnail ?? sections[0]?.items[0] ?? ""
  return { products: { index: button.index, thumbnail, sections } }
}

/** What the parts of a template are filled with; null if there is nothing to fill. */
export const templateContent = (
  parts: StoredParts,
  fields: TemplateFields,
  variables: ReadonlyArray<string>,
  slots: ReadonlyArray<string>
): ContentOf<"template"> | null => {
  const { buttonVariables, headerVariable } = fields
  const given = valuedButtons(parts).map((button, i) => ({ ...button, value: buttonVariables?.[i] ?? "" }))
  const codes = parts.buttons.flatMap(({ type }, index) =>
    // The button copies the code of the body, which Meta wants twice.
    type === "otp" ? [{ index, type: "url" as const, value: variables[0] ?? "" }] : []
  )
  const header = headerVariable ?? null
  const slot = parts.named && header !== null ? slotNames({ body: parts.header?.text ?? "", parts })[0] : undefined
  const filled = {
    header,
    ...(slot === undefined ? {} : { slot }),
    buttons: [...given, ...codes],
    names: parts.named && slots.length > 0 ? slots : null
  }
  const more = { ...cardsContent(parts, fields), ...productsContent(parts, fields) }
  const isFilled = filled.header !== null || filled.buttons.length > 0 || filled.names !== null
  return isFilled || Object.keys(more).length > 0 ? { type: "template", ...filled, ...more } : null
}
