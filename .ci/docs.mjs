// Writes the API reference of the published packages to docs/api. One program has all of them: a program for each would
// read the sources of core for each.
import { readFileSync } from "node:fs"
import { dirname } from "node:path"
import { Application } from "typedoc"

const app = await Application.bootstrap()
const project = await app.convert()
if (project === undefined) process.exit(1)
for (const module of project.children ?? []) {
  const { fileName = "" } = module.sources?.[0] ?? {}
  module.name = JSON.parse(readFileSync(`${dirname(dirname(fileName))}/package.json`, "utf8")).name
}
await app.generateOutputs(project)
if (app.logger.hasErrors()) process.exit(1)
