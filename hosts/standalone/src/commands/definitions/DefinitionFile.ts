import { Effect } from "effect"
import { isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml"
import type { Resource } from "../AdminClient.js"
import { CommandFailed } from "../CommandFailed.js"
import { didYouMean } from "../didYouMean.js"
import { mostOfFile, textGiven } from "../fileGiven.js"
import { mostAliases, unsayableIn } from "./unsayable.js"

/** A definition as somebody wrote it: of a workflow, of a bot. */
export interface DefinitionFile {
  /** As it was typed. */
  readonly path: string
  readonly content: Resource
  /**
   * The line, from 1, of what `actions.2.within` names; where it is not there, of what it would be in. Null of what no
   * definition has.
   */
  readonly lineOf: (field: string) => number | null
}

/** How many problems of a file are told one by one. */
const mostTold = 20

/**
 * Reads a definition from a YAML file, or a JSON file, which is YAML too. `fields` are all that it may have: one that is
 * misspelt must not be lost. Fails with what is wrong, and in which line.
 */
export const readDefinition = (
  path: string,
  fields: ReadonlyArray<string>
): Effect.Effect<DefinitionFile, CommandFailed> =>
  Effect.gen(function* () {
    const text = yield* textGiven(path)
    const lines = new LineCounter()
    // That names are unique is looked for below: the library compares each with each.
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false })
    const broken = [...document.errors, ...document.warnings].map(
      ({ message, pos: [offset] }) => `  line ${lines.linePos(offset).line}: ${inWords(message)}`
    )
    if (broken.length > 0) return yield* unreadable(path, broken)
    const root = document.contents
    if (!isMap(root)) return yield* unreadable(path, ["  It must have a field a line, such as `name: …`."])
    const unsayable = unsayableIn(document).map(({ node, words }) => `  line ${startOf(node, lines)}: ${words}`)
    if (unsayable.length > 0) return yield* unreadable(path, unsayable)
    const content = yield* Effect.try({
      try: (): Resource => {
        const content = document.toJS({ maxAliasCount: mostAliases })
        if (JSON.stringify(content).length > mostOfFile)
          throw new Error("it may have at most 1 MiB, aliases written out")
        return content
      },
      catch: (error) => unreadable(path, [`  ${inWords(error instanceof Error ? error.message : String(error))}`])
    })
    const file: DefinitionFile = {
      path,
      content,
      lineOf: (field) => {
        const segments = field.split(".")
        const [first = ""] = segments
        return first in content || fields.includes(first) ? lineAt(root, segments, lines) : null
      }
    }
    const unknown = Object.keys(content)
      .filter((field) => !fields.includes(field))
      .slice(0, mostTold)
    if (unknown.length === 0) return file
    const words = (field: string) => `is not one of ${fields.join(", ")}.${didYouMean(field, fields)}`
    return yield* wrong(file, Object.fromEntries(unknown.map((field) => [field, words(field)])))
  })

const unreadable = (path: string, lines: ReadonlyArray<string>): CommandFailed =>
  new CommandFailed({ message: [`${path} is no definition:`, ...firstOf(lines)].join("\n") })

/** What the library means for programmers. */
const inWords = (message: string): string =>
  message.startsWith("Maximum call stack")
    ? "it is nested too deep"
    : message.startsWith("Excessive alias count")
      ? "its aliases, each *name, repeat more than a definition can have"
      : message

const firstOf = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length <= mostTold ? lines : [...lines.slice(0, mostTold), `  … and ${lines.length - mostTold} more`]

const lineAt = (root: Node, path: ReadonlyArray<string>, lines: LineCounter): number => {
  let at: Node = root
  let line = startOf(root, lines)
  for (const segment of path) {
    const next = below(at, segment)
    if (next === null) break
    line = startOf(next.named, lines)
    at = next.value
  }
  return line
}

/** What a segment of a path leads to, and where a reader would look for it. */
const below = (at: Node, segment: string): { readonly named: Node; readonly value: Node } | null => {
  if (isSeq(at)) {
    const item = at.items[Number(segment)]
    return isNode(item) ? { named: item, value: item } : null
  }
  const pair = isMap(at) ? at.items.find(({ key }) => isScalar(key) && String(key.value) === segment) : undefined
  if (pair === undefined || !isNode(pair.key)) return null
  return { named: pair.key, value: isNode(pair.value) ? pair.value : pair.key }
}

const startOf = ({ range }: Node, lines: LineCounter): number => lines.linePos(range?.[0] ?? 0).line

/** A refusal of what a file says, told by its lines. Other failures stay as they are. */
export const byLines =
  (file: DefinitionFile) =>
  (failed: CommandFailed): CommandFailed =>
    failed.refused?.code === "validation_failed"
      ? wrong(file, failed.refused.details, ` (validation_failed, request ${failed.refused.request_id})`)
      : failed

/** That these fields of a file are wrong, each with its line, the first line first. */
const wrong = ({ lineOf, path }: DefinitionFile, problems: Resource, more = ""): CommandFailed => {
  const placed = Object.entries(problems)
    .map(([field, words]) => ({ line: lineOf(field), field, words: [words].flat().join(", ") }))
    .sort((one, other) => (one.line ?? 0) - (other.line ?? 0))
  const lines = placed.map(({ field, line, words }) => `  ${line === null ? "" : `line ${line}, `}${field}: ${words}`)
  return new CommandFailed({ message: [`${path} has something wrong${more}:`, ...lines].join("\n") })
}
