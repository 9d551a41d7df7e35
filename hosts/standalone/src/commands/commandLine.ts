import { type CliApp, CliConfig, CommandDescriptor, ValidationError } from "@effect/cli"
import { Console, Effect } from "effect"
import { CommandFailed } from "./CommandFailed.js"
import { type AnyCommand, type CommandNode, nameOf, type Section, treeOf } from "./CommandTree.js"
import { didYouMean } from "./didYouMean.js"
import { exitCodes } from "./exitCodes.js"
import { helpOf, usageOf } from "./help.js"
import { textOf } from "./manual.js"
import { printingPlainly } from "./printable.js"

/** What a command line is about. */
export interface CommandLine {
  readonly name: string
  readonly version: string
  readonly what: string
  readonly sections: ReadonlyArray<Section>
}

const config = CliConfig.make({ isCaseSensitive: true })

/**
 * Does what these words ask for, which follow the name of the command: a command of a section, or to be told about one. Fails
 * with code 2 and words for whoever typed it where they are no command.
 */
export const runCommandLine = (
  { name, sections, version, what }: CommandLine,
  words: ReadonlyArray<string>
): Effect.Effect<void, Error, CliApp.CliApp.Environment> =>
  Effect.gen(function* () {
    const root = treeOf(name, what, sections)
    const [first, ...rest] = words
    if (first === "--version") return yield* Console.log(version)
    const helpOnly = first === "help"
    const { node, others } = yield* find(root, helpOnly ? rest : words)
    if (helpOnly || node.children.size > 0 || beforeDashes(words).some(isHelp)) {
      return yield* Console.log(helpOf(node, pageWidth()))
    }
    yield* refuseUnknownOption(node, others)
    const command = sections.flatMap(({ commands }) => commands).find((command) => nameOf(command) === node.path[1])
    if (command !== undefined) yield* run(command, node, words)
  }).pipe(printingPlainly)

const isHelp = (word: string) => word === "--help" || word === "-h"

/** What follows `--` is an argument, whatever it looks like. */
const beforeDashes = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  const dashes = words.indexOf("--")
  return dashes < 0 ? words : words.slice(0, dashes)
}

/** Walks down as far as there are commands below; `others` are the words after the last one's name. */
const find = (
  node: CommandNode,
  words: ReadonlyArray<string>
): Effect.Effect<{ readonly node: CommandNode; readonly others: ReadonlyArray<string> }, CommandFailed> => {
  const [word, ...others] = words
  if (node.children.size === 0 || word === undefined || isHelp(word)) return Effect.succeed({ node, others: words })
  const child = node.children.get(word)
  if (child !== undefined) return find(child, others)
  const what = word.startsWith("-")
    ? `Options follow the command: there is none before ${word}.`
    : `There is no ${[...node.path, word].join(" ")}.`
  return misused(`${what}${didYouMean(word, node.children.keys())}`, node)
}

/** Options are looked at first: an unknown one could pass for an argument. */
const refuseUnknownOption = (node: CommandNode, words: ReadonlyArray<string>): Effect.Effect<void, CommandFailed> => {
  const { options } = node.manual
  const given = beforeDashes(words)
  for (let at = 0; at < given.length; at++) {
    const [name = "", value] = (given[at] ?? "").split("=")
    const known = options.find(({ names }) => names.includes(name))
    if (known === undefined && name.startsWith("--")) {
      const names = options.flatMap(({ names }) => names)
      return misused(`${node.path.join(" ")} has no option ${name}.${didYouMean(name, names)}`, node)
    }
    if (known !== undefined && known.takes !== null && value === undefined) at++
  }
  return Effect.void
}

const run = (command: AnyCommand, node: CommandNode, words: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const directive = yield* CommandDescriptor.parse(command.descriptor, words, config).pipe(
      Effect.catchIf(ValidationError.isValidationError, ({ error }) => misused(textOf(error), node))
    )
    // The library's own options are unknown here, and were refused before.
    if (directive._tag === "BuiltIn") return
    const [more] = directive.leftover
    if (more !== undefined) return yield* misused(`${node.path.join(" ")} takes no further argument: ${more}`, node)
    yield* command.transform(command.handler(directive.value), directive.value)
  })

const misused = (problem: string, node: CommandNode): Effect.Effect<never, CommandFailed> => {
  const [root, ...rest] = node.path
  const usage = node.children.size > 0 ? [] : [`Usage: ${usageOf(node)}`]
  const message = [problem, ...usage, `See: ${[root, "help", ...rest].join(" ")}`].join("\n")
  return new CommandFailed({ message, code: exitCodes.misused })
}

/** Readable on any terminal: at most 100 characters, 80 where it is none. */
const pageWidth = (): number => (process.stdout.isTTY ? Math.max(40, Math.min(100, process.stdout.columns)) : 80)
