import { Effect } from "effect"
import { isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument } from "yaml"
import type { Resource } from "../AdminClient.js"
import { CommandFailed } from "../CommandFailed.js"
import { didYouMean } from "../didYouMean.js"
import { maxFileBytes, readTextFile } from "../readTextFile.js"
import { maxAliases, nonJsonIn } from "./nonJson.js"

/** The definition of a workflow or bot, read from a file. */
export interface DefinitionFile {
  /** The path as given by the user. */
  readonly path: string
  readonly content: Resource
  /**
   * The line, from 1, of a field such as `actions.2.within`, or of its closest existing parent. Null for a field that
   * no definition has.
   */
  readonly lineOf: (field: string) => number | null
}

/** The maximum number of problems that are listed. */
const maxReported = 20

/**
 * Reads a definition from a YAML file; JSON is YAML too. `fields` are the known fields: an unknown one is an error and
 * is not ignored. Fails with the problems and their lines.
 */
export const readDefinition = (
  path: string,
  fields: ReadonlyArray<string>
): Effect.Effect<DefinitionFile, CommandFailed> =>
  Effect.gen(function* () {
    const text = yield* readTextFile(path)
    const lines = new LineCounter()
    // Unique names are checked below: the library compares every pair of names.
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false })
    const broken = [...document.errors, ...document.warnings].map(
      ({ message, pos: [offset] }) => `  line ${lines.linePos(offset).line}: ${sentence(message)}`
    )
    if (broken.length > 0) return yield* unreadable(path, broken)
    const root = document.contents
    if (!isMap(root)) return yield* unreadable(path, ["  It must contain fields, one per line, such as `name: …`."])
    const unsayable = nonJsonIn(document).map(({ node, message }) => `  line ${startOf(node, lines)}: ${message}`)
    if (unsayable.length > 0) return yield* unreadable(path, unsayable)
    const content = yield* Effect.try({
      try: (): Resource => {
        const content = document.toJS({ maxAliasCount: maxAliases })
        if (JSON.stringify(content).length > maxFileBytes)
          throw new Error("it may have at most 1 MiB, with aliases expanded")
        return content
      },
      catch: (error) => unreadable(path, [`  ${sentence(error instanceof Error ? error.message : String(error))}`])
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
      .slice(0, maxReported)
    if (unknown.length === 0) return file
    const messageText = (field: string) => `is not one of ${fields.join(", ")}.${didYouMean(field, fields)}`
    return yield* wrong(file, Object.fromEntries(unknown.map((field) => [field, messageText(field)])))
  })

const unreadable = (path: string, lines: ReadonlyArray<string>): CommandFailed =>
  new CommandFailed({ message: [`${path} is not a valid definition:`, ...firstOf(lines)].join("\n") })

/** Replaces the library's messages that are written for programmers. */
const sentence = (message: string): string =>
  message.startsWith("Maximum call stack")
    ? "it is nested too deep"
    : message.startsWith("Excessive alias count")
      ? "its aliases (*name) repeat more than a definition can contain"
      : message

const firstOf = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.length <= maxReported ? lines : [...lines.slice(0, maxReported), `  … and ${lines.length - maxReported} more`]

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

/** The node of a path segment, and the position to show for it. */
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

/** Reports a refusal of the API with the lines of the file. Other failures are unchanged. */
export const byLines =
  (file: DefinitionFile) =>
  (failed: CommandFailed): CommandFailed =>
    failed.refused?.code === "validation_failed"
      ? wrong(file, failed.refused.details, ` (validation_failed, request ${failed.refused.request_id})`)
      : failed

/** The error for invalid fields of a file, each with its line, in the order of lines. */
const wrong = ({ lineOf, path }: DefinitionFile, problems: Resource, more = ""): CommandFailed => {
  const placed = Object.entries(problems)
    .map(([field, message]) => ({ line: lineOf(field), field, message: [message].flat().join(", ") }))
    .sort((one, other) => (one.line ?? 0) - (other.line ?? 0))
  const lines = placed.map(
    ({ field, line, message }) => `  ${line === null ? "" : `line ${line}, `}${field}: ${message}`
  )
  return new CommandFailed({ message: [`${path} has invalid fields${more}:`, ...lines].join("\n") })
}
