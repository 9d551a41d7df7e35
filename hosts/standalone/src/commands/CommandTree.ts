import { type CliApp, type Command, CommandDescriptor } from "@effect/cli"
import { type Manual, manualOf } from "./manual.js"

/**
 * A node of the command tree: `parley` itself, a group such as `parley endpoint`, or a command such as `parley endpoint
 * add`.
 */
export interface CommandNode {
  readonly path: ReadonlyArray<string>
  /** The heading under which the parent lists it. */
  readonly heading: string
  readonly manual: Manual
  /** By name; empty for a command that is not a group. */
  readonly children: ReadonlyMap<string, CommandNode>
}

/** A command or a group, with any parameters. */
// biome-ignore lint/suspicious/noExplicitAny: commands of every shape stand side by side here
export type AnyCommand = Command.Command<any, CliApp.CliApp.Environment, Error, any>

/** A group of commands in the help. */
export interface Section {
  readonly heading: string
  readonly commands: ReadonlyArray<AnyCommand>
}

/** The command tree: the root with its name and description, and the commands of these sections. */
export const treeOf = (name: string, what: string, sections: ReadonlyArray<Section>): CommandNode => ({
  path: [name],
  heading: "",
  manual: { what, examples: [], args: [], options: [] },
  children: new Map(
    sections.flatMap(({ commands, heading }) =>
      commands.map((command) => [nameOf(command), topLevel(command, heading, name)] as const)
    )
  )
})

/** A group's children are sorted by name, because its declaration has no order. */
const topLevel = (command: AnyCommand, heading: string, root: string): CommandNode => {
  const name = nameOf(command)
  const children = [...CommandDescriptor.getSubcommands(command.descriptor)]
    // A command without subcommands returns itself.
    .filter(([child]) => child !== name)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([child, descriptor]) => [child, nodeOf([root, name, child], "Commands", descriptor, new Map())] as const)
  return nodeOf([root, name], heading, command.descriptor, new Map(children))
}

const nodeOf = (
  path: CommandNode["path"],
  heading: string,
  descriptor: Parameters<typeof manualOf>[0],
  children: CommandNode["children"]
): CommandNode => ({
  path,
  heading,
  children,
  // Computed on demand: a command line needs the manuals of a few commands only.
  get manual() {
    return manualOf(descriptor)
  }
})

export const nameOf = ({ descriptor }: AnyCommand): string => [...CommandDescriptor.getNames(descriptor)][0] ?? ""
