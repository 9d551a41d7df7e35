import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { bundleMutant } from "./bundleMutant.js"
import type { Mutant } from "./Mutant.js"
import { mutants } from "./mutants.js"
import { openMutantsPage } from "./mutantsPage.js"
import { type Histories, runMutant } from "./runMutant.js"

const usage = `npm run mutants -- [options]
  --only NAME       run this mutant only; may be repeated
  --histories N     at most N histories of each mutant (default 200)
  --write FILE      write the results to this page; needs a working tree without changes but to the page
Histories that break a promise without a fault are printed, and left out for the mutants.`

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    histories: { type: "string", default: "200" },
    write: { type: "string" },
    help: { type: "boolean", default: false }
  }
})
const histories = Number(values.histories)
const unknown = values.only.filter((name) => mutants.every((one) => one.name !== name))
if (values.help || unknown.length > 0 || !Number.isInteger(histories) || histories < 1) {
  process.stderr.write(`${unknown.map((name) => `There is no mutant ${name}.\n`).join("")}${usage}\n`)
  process.exit(values.help ? 0 : 1)
}

const page = values.write === undefined ? undefined : openMutantsPage(resolve(values.write), mutants)
if (page === null) {
  process.stderr.write("--write needs a working tree without changes: the page names the commit.\n")
  process.exit(1)
}

const folder = await mkdtemp(join(tmpdir(), "parley-mutants-"))
const file = join(folder, "histories.mjs")
const run = (name: string, selected: Histories) =>
  runMutant(file, selected, (seed) => {
    if (seed % 50 === 0) process.stderr.write(`${name}: history ${seed}\n`)
  })
const databaseOf = (mutant: Mutant) => mutant.database ?? "model"

/** Runs all histories on a database without a fault. Returns the seeds of those that break a promise. */
const failingSeeds = async (database: Histories["database"]): Promise<ReadonlyArray<number>> => {
  const failing: Array<number> = []
  for (let from = 1; from <= histories; ) {
    const { seed, violation } = await run(`${database} without a fault`, { database, from, to: histories, skip: [] })
    if (violation === null) break
    failing.push(seed)
    process.stdout.write(`without a fault, seed ${seed} breaks ${violation.promise}: ${violation.text}\n`)
    from = seed + 1
  }
  return failing
}

const row = (...cells: ReadonlyArray<string>) =>
  `${cells.map((cell, column) => cell.padEnd([46, 40, 40, 4][column] ?? 0)).join(" ")}`.trimEnd()

/** Runs the mutants one after the other, without the histories that fail by themselves. Returns the survivors. */
const runAll = async (
  selected: ReadonlyArray<Mutant>,
  failing: ReadonlyMap<string, ReadonlyArray<number>>
): Promise<ReadonlyArray<Mutant>> => {
  const survivors: Array<Mutant> = []
  process.stdout.write(`${row("mutant", "broken promise", "expected", "seed")}\n`)
  for (const [index, mutant] of selected.entries()) {
    process.stderr.write(`${index + 1} of ${selected.length}: ${mutant.name}\n`)
    await bundleMutant(mutant, file)
    const database = databaseOf(mutant)
    const skip = failing.get(database) ?? []
    const result = await run(mutant.name, { database, from: 1, to: histories, skip })
    const { seed, violation } = result
    if (violation === null) survivors.push(mutant)
    const expected = violation?.promise === mutant.promise ? "as expected" : mutant.promise
    process.stdout.write(`${row(mutant.name, violation?.promise ?? "none", expected, String(seed))}\n`)
    if (violation !== null) process.stderr.write(`  ${violation.text}\n`)
    page?.record(mutant, result, seed - skip.filter((skipped) => skipped < seed).length)
  }
  return survivors
}

try {
  const selected = mutants.filter(({ name }) => values.only.length === 0 || values.only.includes(name))
  await bundleMutant(null, file)
  const failing = new Map<string, ReadonlyArray<number>>()
  for (const database of new Set(selected.map(databaseOf))) failing.set(database, await failingSeeds(database))
  if ([...failing.values()].some((seeds) => seeds.length > 0)) process.exitCode = 1
  const survivors = await runAll(selected, failing)
  process.stdout.write(`\n${selected.length - survivors.length} of ${selected.length} mutants died.\n`)
  for (const { fault, name } of survivors) process.stdout.write(`survivor ${name}: ${fault}\n`)
  if (survivors.length > 0) process.exitCode = 1
} finally {
  await rm(folder, { recursive: true })
}
