// All checks of `npm test` but the tests: two at a time, each with a line when it ends, and the output of those that
// failed at the end.
import { exec } from "node:child_process"
import { readFileSync } from "node:fs"

const { scripts } = JSON.parse(readFileSync("package.json", "utf8"))

// The build takes longest and begins first. The others use one core each and run beside it.
const build = ["typecheck", "build:packages", "release"].map((name) => [name, scripts[name]])
const queue = [
  ["docs", scripts.docs],
  ...scripts.lint.split(" && ").map((command) => [`lint: ${command.split(" ").slice(0, 2).join(" ")}`, command])
]

const failures = []
const run = ([name, command]) =>
  new Promise((done) => {
    const began = Date.now()
    exec(command, { maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
      const seconds = `${Math.round((Date.now() - began) / 1_000)} s`
      console.log(`${error === null ? "passed" : "FAILED"}  ${name}, ${seconds}`)
      if (error !== null) failures.push({ name, output: `${stdout}${stderr}` })
      done(error === null)
    })
  })

const runQueue = async () => {
  for (let check = queue.shift(); check !== undefined; check = queue.shift()) await run(check)
}
const runBuild = async () => {
  for (const check of build) if (!(await run(check))) break
}
await Promise.all([runBuild().then(runQueue), runQueue()])

for (const { name, output } of failures) console.log(`\n${name} failed:\n\n${output.trimEnd()}`)
if (failures.length > 0) process.exitCode = 1
