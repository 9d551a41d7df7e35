// Prints the table of docs/mutation.md: mutants and score per file of the last `npm run mutate`, from its JSON report.
import { readFileSync } from "node:fs"

const { files } = JSON.parse(readFileSync(".cache/mutation/report.json", "utf8"))
console.log("| file | mutants | killed | score |\n|---|---|---|---|")
for (const [file, { mutants }] of Object.entries(files).sort()) {
  const count = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length
  const killed = count("Killed", "Timeout")
  const all = killed + count("Survived", "NoCoverage")
  const name = file.replace(/^packages\/([^/]+)\/src\//, "$1: ")
  console.log(`| \`${name}\` | ${all} | ${killed} | ${all === 0 ? "–" : `${((100 * killed) / all).toFixed(1)} %`} |`)
}
