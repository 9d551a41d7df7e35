import { CliConfig, type Command, CommandDescriptor, HelpDoc, type Span, type Usage } from "@effect/cli"
import { Option } from "effect"

/** An argument or an option in the help. */
export interface Parameter {
  /** An option's names with aliases: `--follow`, `-f`; an argument's name in angle brackets. */
  readonly names: ReadonlyArray<string>
  /** The type of the value: `text`, `integer`, or choices as `live | test`; null for a switch. */
  readonly takes: string | null
  readonly optional: boolean
  readonly does: string
}

/** The help of a command. */
export interface Manual {
  readonly what: string
  readonly examples: ReadonlyArray<string>
  readonly args: ReadonlyArray<Parameter>
  readonly options: ReadonlyArray<Parameter>
}

type Descriptor = Command.Command<string, never, never, unknown>["descriptor"]

/** Reads the help from the command's declaration. */
export const manualOf = (descriptor: Descriptor): Manual => {
  const sections = sectionsOf(CommandDescriptor.getHelp(descriptor, CliConfig.make({ showBuiltIns: false })))
  const [, ...usages] = usagesOf(CommandDescriptor.getUsage(descriptor), false)
  const parameters = (heading: string, isOption: boolean): ReadonlyArray<Parameter> => {
    const definitions = (sections.get(heading) ?? []).flatMap((doc) =>
      HelpDoc.isDescriptionList(doc) ? doc.definitions : []
    )
    return usages
      .filter(({ names }) => names.every((name) => name.startsWith("-")) === isOption)
      .map((usage, index) => ({ ...usage, does: does(definitions[index]?.[1]) }))
  }
  const description = sections.get("DESCRIPTION") ?? []
  return {
    what: description.filter(HelpDoc.isParagraph).map(textOf).join(" "),
    examples: description.filter(HelpDoc.isEnumeration).flatMap(({ elements }) => elements.map(textOf)),
    args: parameters("ARGUMENTS", false),
    options: parameters("OPTIONS", true)
  }
}

/** A document's text without markup. */
export const textOf = (doc: HelpDoc.HelpDoc): string =>
  [...blocksOf(doc)]
    .map((block) => (HelpDoc.isParagraph(block) || HelpDoc.isHeader(block) ? spanText(block.value) : ""))
    .join(" ")

function* blocksOf(doc: HelpDoc.HelpDoc): Generator<HelpDoc.HelpDoc> {
  if (HelpDoc.isSequence(doc)) {
    yield* blocksOf(doc.left)
    yield* blocksOf(doc.right)
  } else if (!HelpDoc.isEmpty(doc)) yield doc
}

const sectionsOf = (doc: HelpDoc.HelpDoc): ReadonlyMap<string, ReadonlyArray<HelpDoc.HelpDoc>> => {
  const sections = new Map<string, Array<HelpDoc.HelpDoc>>()
  let section: Array<HelpDoc.HelpDoc> = []
  for (const block of blocksOf(doc)) {
    if (HelpDoc.isHeader(block)) {
      section = []
      sections.set(spanText(block.value), section)
    } else section.push(block)
  }
  return sections
}

const spanText = (span: Span.Span): string => {
  if (span._tag === "Sequence") return spanText(span.left) + spanText(span.right)
  return typeof span.value === "string" ? span.value : spanText(span.value)
}

/**
 * The description of a parameter, without the library's additions: the type before it, and that it is optional after
 * it.
 */
const does = (doc: HelpDoc.HelpDoc = HelpDoc.empty): string =>
  [...blocksOf(doc)]
    .slice(1)
    .map(textOf)
    .filter((text) => !text.startsWith("This setting is optional."))
    .join(" ")

const usagesOf = (usage: Usage.Usage, optional: boolean): ReadonlyArray<Omit<Parameter, "does">> => {
  switch (usage._tag) {
    case "Named":
      return [{ names: usage.names, takes: Option.getOrNull(usage.acceptedValues), optional }]
    case "Optional":
      return usagesOf(usage.usage, true)
    // Repeated any number of times, including zero.
    case "Repeated":
      return usagesOf(usage.usage, true)
    case "Concat":
    case "Alternation":
      return [...usagesOf(usage.left, optional), ...usagesOf(usage.right, optional)]
    default:
      return []
  }
}
