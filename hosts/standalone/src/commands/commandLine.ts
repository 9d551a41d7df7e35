import { type CliApp, CliConfig, CommandDescriptor, ValidationError } from "@effect/cli"
import { Console, Effect } from "effect"
import { CommandFailed } from "./CommandFailed.js"
import { type AnyCommand, type CommandNode, nameOf, type Section, treeOf } from "./CommandTree.js"
import { didYouMean } from "./didYouMean.js"
import { exitCodes } from "./exitCodes.js"
import { usageOf } from "./help.js"
import { textOf } from "./manual.js"
import { printingPlainly } from "./printable.js"
import { beforeDashes, descend, requestedPage, unknownWord } from "./requestedPage.js"
import { targetOptions } from "./Target.js"

/** The definition of a command line program. */
export interface CommandLine {
  readonly name: string
  readonly version: string
  readonly what: string
  readonly sections: ReadonlyArray<Section>
}

const config = CliConfig.make({ isCaseSensitive: true })

/**
 * Runs the command given by the arguments after the program's name, or prints its help. Fails with exit code 2 and a
 * message if they are not a valid command line.
 */
export const runCommandLine = (
  { name, sections, version, what }: CommandLine,
  message: ReadonlyArray<string>
): Effect.Effect<void, Error, CliApp.CliApp.Environment> =>
  Effect.gen(function* () {
    const root = treeOf(name, what, sections)
    const page = requestedPage({ root, version }, message)
    if (page !== null) return yield* Console.log(page)
    const { node, others } = descend(root, message)
    const unknown = unknownWord(node, others)
    if (unknown !== undefined) return yield* refuseUnknownWord(node, unknown)
    yield* checkOptions(node, others)
    const command = sections.flatMap(({ commands }) => commands).find((command) => nameOf(command) === node.path[1])
    if (command !== undefined) yield* run(command, node, message)
  }).pipe(printingPlainly)

const refuseUnknownWord = (node: CommandNode, word: string): Effect.Effect<never, CommandFailed> => {
  const what = word.startsWith("-")
    ? `Options follow the command: write ${word} after it.`
    : `There is no ${[...node.path, word].join(" ")}.`
  return misused(`${what}${didYouMean(word, node.children.keys())}`, node)
}

/**
 * Unknown options are refused first: the library could treat one as an argument. An empty value, as of an unset
 * variable, would drop a filter.
 */
const checkOptions = (node: CommandNode, message: ReadonlyArray<string>): Effect.Effect<void, CommandFailed> => {
  const { options } = node.manual
  const given = beforeDashes(message)
  for (let at = 0; at < given.length; at++) {
    const [name = "", value] = (given[at] ?? "").split("=")
    const known = options.find(({ names }) => names.includes(name))
    if (known === undefined && name.startsWith("--")) {
      const names = options.flatMap(({ names }) => names)
      return misused(`${node.path.join(" ")} has no option ${name}.${didYouMean(name, names)}`, node)
    }
    if (known === undefined || known.takes === null) continue
    if ((value ?? given[at + 1]) === "" && !takesEmptyValue(node, name)) {
      return misused(`${name} has an empty value: give one, or leave the option out.`, node)
    }
    if (value === undefined) at++
  }
  return Effect.void
}

/** `update` commands clear a field by an empty value. */
const takesEmptyValue = ({ path }: CommandNode, name: string): boolean =>
  path.at(-1) === "update" && !Object.keys(targetOptions).includes(name.slice("--".length))

const run = (command: AnyCommand, node: CommandNode, message: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const directive = yield* CommandDescriptor.parse(command.descriptor, message, config).pipe(
      Effect.catchIf(ValidationError.isValidationError, ({ error }) => misused(textOf(error), node))
    )
    // The library's built-in options are unknown here, and were refused before.
    if (directive._tag === "BuiltIn") return
    const [more] = directive.leftover
    if (more !== undefined) return yield* misused(`${node.path.join(" ")} takes no more arguments: ${more}`, node)
    yield* command.transform(command.handler(directive.value), directive.value)
  })

const misused = (problem: string, node: CommandNode): Effect.Effect<never, CommandFailed> => {
  const [root, ...rest] = node.path
  const usage = node.children.size > 0 ? [] : [`Usage: ${usageOf(node)}`]
  const message = [problem, ...usage, `See: ${[root, "help", ...rest].join(" ")}`].join("\n")
  return new CommandFailed({ message, code: exitCodes.misused })
}
