import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { git } from "../histories/git.js"
import type { Mutant } from "./Mutant.js"
import type { Run } from "./runMutant.js"

/** The page with the latest result of each mutant, and the commit that had it. */
export interface MutantsPage {
  /** Writes the result of a mutant. `histories`: the number of those that were run. */
  readonly record: (mutant: Mutant, run: Run, histories: number) => void
}

const rowOf = (cells: ReadonlyArray<string>): string => `| ${cells.join(" | ")} |`

/** The name of a row's mutant. */
const nameOf = (row: string): string => /^\| `([^`]+)` \|/.exec(row)?.[1] ?? ""

const pageOf = (rows: ReadonlyArray<string>, mutants: number): string => {
  const survivors = rows.filter((row) => row.includes("| survives |")).length
  return `# Mutants

Written by \`npm run mutants -- --write docs/mutants.md\`; do not edit. What it means, and why mutants
survive: [reliability](reliability.md#mutants).

${rows.length - survivors} of ${mutants} mutants died, ${survivors} survived, and ${mutants - rows.length} were not run. \`histories\`: the number until the first violation; a survivor kept all promises in so many.

${[rowOf(["mutant", "fault", "first broken promise", "histories", "commit"]), rowOf(Array(5).fill("---")), ...rows].join("\n")}
`
}

/**
 * Opens the page at `file`. It keeps the rows of mutants that exist and are not run again. Null without git, or if a
 * file but the page was changed: only a commit tells what was run.
 */
export const openMutantsPage = (file: string, mutants: ReadonlyArray<Mutant>): MutantsPage | null => {
  const changed = git("status", "--porcelain", "--", ":/", `:(exclude)${file}`)
  const commit = changed === "" ? git("rev-parse", "HEAD") : null
  if (commit === null) return null
  const before = existsSync(file) ? readFileSync(file, "utf8").split("\n") : []
  const rows = new Map(before.flatMap((row) => (nameOf(row) === "" ? [] : [[nameOf(row), row] as const])))
  return {
    record: ({ database, fault, name }, { violation }, histories) => {
      const count = `${histories.toLocaleString("en")}${database === undefined ? "" : " on SQLite"}`
      const promise = violation === null ? "survives" : `\`${violation.promise}\``
      rows.set(name, rowOf([`\`${name}\``, fault, promise, count, commit.slice(0, 8)]))
      writeFileSync(
        file,
        pageOf(
          mutants.flatMap((one) => rows.get(one.name) ?? []),
          mutants.length
        )
      )
    }
  }
}
