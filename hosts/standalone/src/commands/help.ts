import type { CommandNode } from "./CommandTree.js"
import { exitCodeMeanings } from "./exitCodes.js"
import type { Parameter } from "./manual.js"

/** The help of a command, of a group, or of the program. No line is longer than `width` characters. */
export const helpOf = (node: CommandNode, width: number): string =>
  node.children.size > 0 ? groupHelp(node, width) : commandHelp(node, width)

const groupHelp = ({ children, manual, path }: CommandNode, width: number): string => {
  const [root, ...rest] = path
  const members = [...children.values()]
  const headings = [...new Set(members.map(({ heading }) => heading))]
  const all = rest.length === 0
  return page([
    paragraph(null, wrapped(`${manual.what}.`, width)),
    paragraph("Usage", [[...path, "<command> [arguments] [options]"].join(" ")]),
    ...headings.map((heading) =>
      paragraph(heading, table(members.filter((member) => member.heading === heading).map(described), width))
    ),
    all
      ? paragraph(
          "Exit codes",
          table(
            exitCodeMeanings.map(([code, meaning]) => [`${code}`, meaning]),
            width
          )
        )
      : "",
    `Run \`${[root, "help", ...rest].join(" ")} <command>\` for details${all ? `, \`${root} --version\` for the version` : ""}.`
  ])
}

const commandHelp = (node: CommandNode, width: number): string => {
  const { args, examples, options, what } = node.manual
  return page([
    paragraph(null, wrapped(`${what}.`, width)),
    paragraph("Usage", [usageOf(node)]),
    paragraph(
      "Arguments",
      table(
        args.map(({ does, names }) => [names.join(", "), does]),
        width
      )
    ),
    paragraph("Options", table([...options.map(optionRow), ["--help", "Print this"]], width)),
    paragraph("Examples", examples)
  ])
}

/** The usage line of a command, with its required arguments. */
export const usageOf = ({ manual: { args, options }, path }: CommandNode): string =>
  [
    ...path,
    ...args.map(({ names, optional }) => (optional ? `[${names.join(", ")}]` : names.join(", "))),
    ...options.filter(({ optional }) => !optional).map((option) => optionRow(option)[0]),
    "[options]"
  ].join(" ")

/** A short list of choices is in the column of the option, a long one after its description. */
const optionRow = ({ does, names, takes }: Parameter): readonly [string, string] => {
  const name = names.join(", ")
  if (takes === null) return [name, does]
  const choices = takes.split(" | ")
  if (choices.length === 1) return [`${name} <${takes}>`, does]
  const inline = `${name} <${choices.join("|")}>`
  return inline.length <= widestTerm ? [inline, does] : [`${name} <one>`, `${does}: ${choices.join(", ")}`]
}

const described = ({ manual, path }: CommandNode): readonly [string, string] => [path.at(-1) ?? "", manual.what]

const widestTerm = 26

/** Terms with their descriptions beside them, or below a long term. */
const table = (rows: ReadonlyArray<readonly [string, string]>, width: number): ReadonlyArray<string> => {
  const column = Math.min(widestTerm, Math.max(0, ...rows.map(([term]) => term.length))) + 2
  return rows.flatMap(([term, meaning]) => {
    const lines = wrapped(meaning, width - indent.length - column)
    const first = term.length + 2 <= column ? [term.padEnd(column) + (lines.shift() ?? "")] : [term]
    return [...first, ...lines.map((line) => " ".repeat(column) + line)]
  })
}

const indent = "  "

const paragraph = (title: string | null, lines: ReadonlyArray<string>): string => {
  if (lines.length === 0) return ""
  return title === null ? lines.join("\n") : [title, ...lines.map((line) => indent + line)].join("\n")
}

const page = (paragraphs: ReadonlyArray<string>): string => paragraphs.filter((text) => text !== "").join("\n\n")

const wrapped = (text: string, width: number): Array<string> => {
  const lines: Array<string> = []
  for (const word of text.split(" ")) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}
