import type { CommandNode } from "./CommandTree.js"
import { helpOf } from "./help.js"

/** What the pages of a command line are made of, without the code of its commands. */
export interface Pages {
  readonly version: string
  readonly root: CommandNode
}

/** {@link Pages} as JSON, which `build.ts` writes beside the bundle. */
export const pagesToJson = (pages: Pages): string =>
  JSON.stringify(pages, (_, value) => (value instanceof Map ? [...value] : value))

export const pagesOfJson = (text: string): Pages =>
  JSON.parse(text, (key, value) => (key === "children" ? new Map(value) : value))

/**
 * The page that these words ask for: the help of a command or a group, or the version. Null if they are a command to
 * run, or unknown.
 */
export const requestedPage = ({ root, version }: Pages, message: ReadonlyArray<string>): string | null => {
  if (message[0] === "--version") return version
  const { node, others } = descend(root, message)
  if (unknownWord(node, others) !== undefined) return null
  const asksHelp = message[0] === "help" || node.children.size > 0 || beforeDashes(message).some(isHelp)
  return asksHelp ? helpOf(node, pageWidth()) : null
}

/** The deepest command that the words name, with or without `help` before them; `others` are the remaining words. */
export const descend = (
  root: CommandNode,
  message: ReadonlyArray<string>
): { readonly node: CommandNode; readonly others: ReadonlyArray<string> } => {
  let node = root
  let others = message[0] === "help" ? message.slice(1) : message
  for (;;) {
    const child = node.children.get(others[0] ?? "")
    if (child === undefined) return { node, others }
    node = child
    others = others.slice(1)
  }
}

/** The word that names no command of the group. */
export const unknownWord = (node: CommandNode, [word]: ReadonlyArray<string>): string | undefined =>
  node.children.size === 0 || word === undefined || isHelp(word) ? undefined : word

const isHelp = (word: string) => word === "--help" || word === "-h"

/** Words after `--` are arguments, even if they look like options. */
export const beforeDashes = (message: ReadonlyArray<string>): ReadonlyArray<string> => {
  const dashes = message.indexOf("--")
  return dashes < 0 ? message : message.slice(0, dashes)
}

/** The width of help texts: at most 100 characters, 80 without a terminal. */
const pageWidth = (): number => (process.stdout.isTTY ? Math.max(40, Math.min(100, process.stdout.columns)) : 80)
