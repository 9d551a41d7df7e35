import { type CliApp, type Command, CommandDescriptor } from "@effect/cli"
import { type Manual, manualOf } from "./manual.js"

/** `parley` itself, a group of commands as `parley endpoint`, or a command as `parley endpoint add`. */
export interface CommandNode {
  readonly path: ReadonlyArray<string>
  /** Under which heading its parent lists it. */
  readonly heading: string
  readonly manual: Manual
  /** By name; none where it is a command that does something. */
  readonly children: ReadonlyMap<string, CommandNode>
}

/** A command or a group of them, whatever it takes. */
// biome-ignore lint/suspicious/noExplicitAny: commands of every shape stand side by side here
export type AnyCommand = Command.Command<any, CliApp.CliApp.Environment, Error, any>

/** Commands that belong together. */
export interface Section {
  readonly heading: string
  readonly commands: ReadonlyArray<AnyCommand>
}

/** The commands of these sections under one root: its name, and what it is. */
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

/** A group's commands are listed by name: its declaration has them in no order. */
const topLevel = (command: AnyCommand, heading: string, root: string): CommandNode => {
  const name = nameOf(command)
  const children = [...CommandDescriptor.getSubcommands(command.descriptor)]
    // A command that is no group answers itself.
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
  // Read when it is wanted: a command line needs those of a few of all commands.
  get manual() {
    return manualOf(descriptor)
  }
})

export const nameOf = ({ descriptor }: AnyCommand): string => [...CommandDescriptor.getNames(descriptor)][0] ?? ""
