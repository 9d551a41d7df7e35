import { existsSync, readFileSync } from "node:fs"
import { type SourceMap, SourceMap as Sources } from "node:module"
import { fileURLToPath } from "node:url"

/**
 * What CPU time and memory are used by. The rest, such as sockets, streams and cryptography, is of Node and other
 * libraries.
 */
export const parts = [
  "Effect",
  "the engine",
  "the storage adapter",
  "the rest of Parley",
  "the program of the bench",
  "the database driver",
  "garbage collection",
  "Node and other libraries"
] as const
export type Part = (typeof parts)[number]

/** A profile as `node --cpu-prof` writes it. Times in µs. */
export interface CpuProfile {
  readonly nodes: ReadonlyArray<{
    readonly id: number
    readonly callFrame: CallFrame
  }>
  readonly samples: ReadonlyArray<number>
  readonly timeDeltas: ReadonlyArray<number>
}

interface CallFrame {
  readonly functionName: string
  readonly url: string
  readonly lineNumber: number
  readonly columnNumber: number
}

const partsBySource: ReadonlyArray<readonly [pattern: RegExp, part: Part]> = [
  [/\/node_modules\/(effect|@effect\/[^/]+)\//, "Effect"],
  [/\/node_modules\/(pg|pg-[^/]+|postgres-[^/]+|better-sqlite3)\//, "the database driver"],
  [/\/node_modules\//, "Node and other libraries"],
  [/\/packages\/core\//, "the engine"],
  [/\/packages\/(sql|postgres|sqlite|memory)\//, "the storage adapter"],
  [/\/packages\/bench\//, "the program of the bench"],
  [/\/(packages|hosts)\//, "the rest of Parley"]
]

/** Frames of no work, and those that load modules at the start. */
const leftOut = /^\(idle\)$|^\(root\)$|^compileSourceTextModule$|^compileForInternalLoader$|^wrapSafe$/
const loadsModules = /^node:internal\/(modules|bootstrap|main)\//

/** The part of a frame; null if it is left out. `source`: the path of its source, or its URL without a source map. */
const partOf = ({ functionName, url }: CallFrame, source: string): Part | null => {
  if (leftOut.test(functionName) || loadsModules.test(url)) return null
  if (functionName === "(garbage collector)") return "garbage collection"
  return partsBySource.find(([pattern]) => pattern.test(source))?.[1] ?? "Node and other libraries"
}

/** The allocations of a program by the functions that made them, as V8's sampling profiler writes them. */
export interface AllocationProfile {
  readonly head: AllocationNode
}

interface AllocationNode {
  readonly callFrame: CallFrame
  /** Bytes. */
  readonly selfSize: number
  readonly children: ReadonlyArray<AllocationNode>
}

/** The share of each part in the CPU time of a profile, from 0 to 1. */
export const cpuShares = (
  { nodes, samples, timeDeltas }: CpuProfile,
  sourceOf: (frame: CallFrame) => string = sourceByMap()
): ReadonlyMap<Part, number> => {
  const partsByNode = new Map(nodes.map(({ callFrame, id }) => [id, partOf(callFrame, sourceOf(callFrame))]))
  return sharesOf(samples.map((id, sample) => [partsByNode.get(id) ?? null, timeDeltas[sample] ?? 0]))
}

/** The share of each part in the allocated bytes of a profile, from 0 to 1. */
export const allocationShares = (
  { head }: AllocationProfile,
  sourceOf: (frame: CallFrame) => string = sourceByMap()
): ReadonlyMap<Part, number> => {
  const amounts: Array<readonly [part: Part | null, bytes: number]> = []
  const visit = ({ callFrame, children, selfSize }: AllocationNode): void => {
    amounts.push([partOf(callFrame, sourceOf(callFrame)), selfSize])
    children.forEach(visit)
  }
  visit(head)
  return sharesOf(amounts)
}

const sharesOf = (amounts: ReadonlyArray<readonly [part: Part | null, amount: number]>): ReadonlyMap<Part, number> => {
  const sums = new Map<Part, number>(parts.map((part) => [part, 0]))
  let total = 0
  for (const [part, amount] of amounts) {
    if (part === null) continue
    sums.set(part, (sums.get(part) ?? 0) + amount)
    total += amount
  }
  return new Map([...sums].map(([part, sum]) => [part, total === 0 ? 0 : sum / total]))
}

/** Finds the sources of bundled code by the source maps beside the bundles. */
const sourceByMap = (): ((frame: CallFrame) => string) => {
  const maps = new Map<string, SourceMap | null>()
  const mapOf = (url: string): SourceMap | null => {
    const known = maps.get(url)
    if (known !== undefined) return known
    const file = url.startsWith("file:") ? `${fileURLToPath(url)}.map` : ""
    const map = existsSync(file) ? new Sources(JSON.parse(readFileSync(file, "utf8"))) : null
    maps.set(url, map)
    return map
  }
  return ({ columnNumber, lineNumber, url }) => {
    const entry = mapOf(url)?.findEntry(lineNumber, columnNumber)
    return entry !== undefined && "originalSource" in entry ? new URL(entry.originalSource, url).pathname : url
  }
}

/** A table in Markdown: a line for each process, in percent. `what`: what the shares are of. */
export const sharesTable = (
  what: string,
  processes: ReadonlyArray<readonly [name: string, shares: ReadonlyMap<Part, number>]>
): string => {
  const shown = parts.filter((part) => processes.some(([, shares]) => (shares.get(part) ?? 0) >= 0.001))
  const lines = processes.map(([name, shares]) => [
    name,
    ...shown.map((part) => `${((shares.get(part) ?? 0) * 100).toFixed(1)} %`)
  ])
  return [[what, ...shown], ["---", ...shown.map(() => "---:")], ...lines]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n")
}
