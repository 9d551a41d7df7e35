import { readFile } from "node:fs/promises"
import { Effect } from "effect"
import { isMap, isNode, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLError } from "yaml"
import type { Resource } from "../AdminClient.js"
import { CommandFailed } from "../CommandFailed.js"
import { didYouMean } from "../didYouMean.js"
import { pathGiven } from "../pathGiven.js"

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

/** A bigger one is no definition: the API takes no more. */
const mostBytes = 1_048_576

/** Enough for anchors that somebody wrote, and an end to those that multiply. */
const mostAliases = 100

/**
 * Reads a definition from a YAML file, or a JSON file, which is YAML too. `fields` are all that it may have: one that is
 * misspelt must not be lost. Fails with what is wrong, and in which line.
 */
export const readDefinition = (
  path: string,
  fields: ReadonlyArray<string>
): Effect.Effect<DefinitionFile, CommandFailed> =>
  Effect.gen(function* () {
    const text = yield* Effect.tryPromise({
      try: () => readText(pathGiven(path)),
      catch: (error) => new CommandFailed({ message: `${path} cannot be read: ${reason(error)}` })
    })
    const lines = new LineCounter()
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
    const broken = [...document.errors, ...document.warnings].map(
      ({ message, pos }: YAMLError) => `  line ${lines.linePos(pos[0]).line}: ${message}`
    )
    if (broken.length > 0) return yield* unreadable(path, broken)
    const root = document.contents
    if (!isMap(root)) return yield* unreadable(path, ["  It must have a field a line, such as `name: …`."])
    const content = yield* Effect.try({
      try: (): Resource => document.toJS({ maxAliasCount: mostAliases }),
      catch: (error) => unreadable(path, [`  ${reason(error)}`])
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
    const unknown = Object.keys(content).filter((field) => !fields.includes(field))
    if (unknown.length === 0) return file
    const words = unknown.map((field) => `is not one of ${fields.join(", ")}.${didYouMean(field, fields)}`)
    return yield* wrong(file, Object.fromEntries(unknown.map((field, at) => [field, words[at]])))
  })

const readText = async (path: string): Promise<string> => {
  const bytes = await readFile(path)
  if (bytes.length > mostBytes) throw new Error("a definition has at most 1 MiB")
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes)
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const unreadable = (path: string, lines: ReadonlyArray<string>): CommandFailed =>
  new CommandFailed({ message: [`${path} is no definition:`, ...lines].join("\n") })

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
